/** The page numbers the first four, and draws an icon beside each of what follows (web/src/pages/how-it-works.tsx). */
export const HOW_IT_WORKS = `
Buy and sell with people on X. Four steps, from signing in to a handshake.

## Sign Up with Twitter

Continue with the X account you already have. There is no other password to remember.

## Post Your Ad

Add {photosAndTitle}, a few honest sentences and a price.

## Get Discovered

People nearby find your ad by place, category, price and the words in it.

## Connect & Sell

Answer messages here, meet in a public place, mark the ad as sold.

## What you can count on

### Verified Sellers

Badges come from X, so a blue check here means what it means there.

### Safe Transactions

Messages stay on the platform, and every ad reminds you how to meet safely.

### Easy Search

Every word counts, in title and description, with filters for place, condition, price and details.

### Quality Listings

Real photos, clear prices, and moderators who look after the rest.

## For sellers

### Free to list

Posting costs nothing, and nothing is taken from what you sell.

### Reach more buyers

Every ad has a page that looks good when it is shared on X.

### Build trust

Your X profile, its age and its badges speak for you.

### No ad forgotten

We ask before an ad ends. One tap renews it or marks it as sold.

## For buyers

### Find anything

{categories}

### Smart search

Words, prices, distance and details together, sorted as you like.

### First to know

Save a search or follow a seller: new ads come to you by e-mail or push, if you want them to.

### Direct contact

Write to the seller from the ad and read the answer in your inbox.
`;
