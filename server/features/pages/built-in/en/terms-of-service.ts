export const TERMS_OF_SERVICE = `
## Acceptance of these terms

By using {site} you accept these terms. If you do not, please do not use it.

## Accounts

You sign in with your X account and its credentials; {site} never sees your X password. You answer for what happens under
your account, so keep access to X to yourself. One person, one account.

## Ads and transactions

Describe what you offer honestly, with your own photos and the real price. All prices are in one currency: {currency}.
Deals are made between buyer and seller; {site} is not a party to them, handles no payments and takes no fee. These things
may not be offered:

- illegal items of any kind
- weapons, ammunition and explosives
- drugs, alcohol and tobacco
- counterfeit goods
- adult content
- live animals, except through licensed dealers

## User conduct

Be truthful and civil. No harassment, no spam, no fraud, no collecting of other people's data, and no attempt to break or
overload the service. If you see any of this, report the ad, the person or the message; false reports count against you.
You can block people you do not want to hear from.

## Privacy and data collection

We keep what the service needs: your public X profile, your ads, favorites and messages. The [privacy policy](/privacy)
says what, why and for how long.

## Limitation of liability

{site} is provided as it is. As far as the law allows, we are not liable for what users offer, say or do, for deals that
go wrong, or for interruptions of the service.

## Intellectual property

What you post stays yours. You grant us a license to display and distribute it as the service requires, for as long as
your ad exists. Post only what you have the right to post.

## Account termination

We may remove ads, warn, and suspend or ban accounts that break these terms. You then see what we decided and why, and
within {appealDays} days you may appeal to a person; a ban you contest at the address below. You may delete your account at
any time, in Edit Profile on your dashboard.

## Changes to these terms

We may change these terms. The date above says when we last did; using {site} afterwards accepts them.

## Contact

Questions about these terms: {legalEmail}. Help with the service: {supportEmail}.
`;
