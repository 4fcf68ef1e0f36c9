export const PRIVACY = `
What {site} stores about you, why, for how long, and how to get rid of it.

## What we store

- from X, each time you sign in: your id, handle, name, picture, badges and the age of your account
- what you post: ads with their photos, city and details, favorites, messages, contact requests
- whom you follow, the searches that you save, and the former prices of your ads
- what you report and whom you block; what we decide about you or your ads, and your appeals
- notifications of what concerns you, and which of them you want by e-mail or push
- your e-mail address, if you enter one or X gives it to us, and whether its mail server refuses mail
- for each device with push notifications, its address at the push service and its keys
- a session cookie while you are signed in, and the times of your visits to your account
- of each passkey its public key, its name and when you last used it, until you remove it
- of each access token of a program its name, what it may do, a hash of it and when it was last used, until a week after its
  end
- recovery codes and links, in a form that nobody can read back

## Photos

Every photo is drawn again before it is stored. Place, camera and all other hidden data of the original are gone; the
original file is never kept. A photo of a message is seen by the two people of the conversation only, and by our staff if
one of them reports the message.

## Your X account

Signing in lets us read your profile and nothing else. Nothing is posted to X without your consent: you are asked each
time with the exact text, or switch it on yourself and can switch it off again. Access tokens are stored encrypted and
deleted when you disconnect.

## Counting visits

Visits are counted without cookies, by a code that changes every day and cannot be turned back into an address. There is
no advertising and no tracking by others.

## Places

An ad that names a city is found by the distance to it; no one sees where you are. “Use my location” asks your browser,
finds the nearest city and forgets your position at once: it is neither stored nor logged. The city that you choose is
remembered in your browser alone, until you remove it there. Names and coordinates of cities come from
[GeoNames](https://www.geonames.org/), under [CC BY 4.0](https://creativecommons.org/licenses/by/4.0/).

## E-mail and push notifications

We send notifications by e-mail only to an address that you confirmed, or that X gave us. Notification Settings on your
dashboard and a link in each of them switch them off. They contain no images and nothing that shows us whether you read
them. A push notification passes through the push service of your browser’s maker, encrypted for your device. Neither
contains the text of messages: only who wrote, and about which ad. Other people here see neither your address nor your
settings and saved searches; the operator of this site can.

## Who sees what

Everybody sees your public X profile fields and your active ads. Messages are seen by the two people who write them.
Sellers see how many people follow them, never who. Administrators see what they need to keep the marketplace safe.
Nothing is sold.

## Reports and decisions

When you report something, the person concerned never learns who you are. A report about a message gives our moderators a
copy of that message and of up to five before it; no other messages are shown to them. We decide case by case: the only
thing that happens by itself is that an ad waits for review when enough people report it. If a decision concerns you, your
account shows what we decided and why, and lets you appeal. People whom you block do not learn of it. Messages with links
or typical words of fraud carry a warning, which is worked out when the message is shown and is not stored.

## For how long

- your account, ads, photos and favorites: until you delete them; the files of photos up to two hours longer
- messages and their photos: they stay, for the two people of the conversation
- a session: until you sign out, {sessionIdleDays} days after your last visit, or {sessionDays} days at most
- counted visits: {visitDays} days; after that only their number on each day
- notifications: {notificationDays} days
- your e-mail address: until you remove it; one that you do not confirm: about a month
- your saved searches: until you delete them or your account
- a device with push notifications: until you disable them or sign out there, or its push service no longer knows it
- whom you block: until you end the block or delete your account
- whom you follow: until you end that, one of you blocks the other, or you delete your account
- former prices of an ad: {formerPriceDays} days
- reports, decisions and appeals: without end, after a deletion without your name; the copies of reported messages and the
  photos of a case: {caseCopyDays} days after the decision; a code that tells whether two reports came from one network:
  until the decision, at most {reporterAddressDays} days
- what you send through the contact form: until you ask us to remove it, at most as long as the operator of this site
  keeps such messages
- the server’s log of requests, each with your address and, while you are signed in, the number of your account: as long
  as the operator of this site keeps it
- copies of all this in backups: as long as the operator of this site keeps those
- the record of what administrators did and of accounts that were deleted: without end

## Your rights

Edit Profile on your dashboard has “Download my data” and “Delete my account”. Deleting removes profile, ads, favorites,
sessions and X tokens at once, and the files of your photos within two hours; messages stay with the people you wrote to,
under “Deleted user”. If an account was suspended, an unreadable fingerprint of its X id stays, so that the suspension
holds. Anything else: {legalEmail}.

## Who is responsible

{site} is run by the operator of this site, who can be reached at the address above.
`;
