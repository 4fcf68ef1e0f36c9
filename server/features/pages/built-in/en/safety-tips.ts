/** The page draws an icon beside each of the first six, and marks the two lists (web/src/pages/safety-tips.tsx). */
export const SAFETY_TIPS = `
Most deals between neighbors go well. These habits keep it that way.

## Meet in public places

A café, a mall or a police station lobby, in daylight, with other people around.

## Inspect before you buy

Look at the item, switch it on, compare it with its photos. Pay only when you are satisfied.

## Use secure payment methods

Pay in person or with protection. Avoid wire transfers and money orders: nobody gets them back.

## Trust your instincts

If something feels wrong, walk away. There will be another ad.

## Bring a friend

Two see more than one, most of all when the item is valuable or the place is new to you.

## Keep communication on the platform

Messages here stay on record. Numbers and email addresses are what fraudsters ask for first.

## Red Flags

- Unusual payment requests: gift cards, cryptocurrency, a transfer to a stranger
- Prices that are too good to be true
- Refusal to meet in person or to show the item
- Pressure to act fast, before somebody else does
- Requests for personal ID numbers or copies of documents
- Grammar that sounds scripted, and answers that do not fit your question
- Far-away sellers who want to ship and be paid first

## Good Practices

- Read the whole ad and look at every photo before you write
- Look at the seller's profile: badges, account age, other ads
- Agree on price, place and time in your messages here
- Tell somebody where you are going and when you will be back
- Count money and check the item before you part
- Ask for a receipt or the original invoice when it is valuable
- Mark your ad as sold when the deal is done

## Need help?

Write to {supportEmail} when an ad or a person seems wrong to you. In an emergency, contact your local authorities first.
`;
