/** Where the cache holds the inbox. To fetch it anew, mutate that: if it is not on screen, it is fetched when it next is. */
export const INBOX_KEY = 'inbox';
