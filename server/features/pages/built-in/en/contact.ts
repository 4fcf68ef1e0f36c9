export const CONTACT = `
Questions, problems, ideas: write to us, we answer within 24 hours.
`;
