const WORDS = new Set(
  `password passwort passw0rd p@ssw0rd p@ssword pass admin administrator root user guest test tester demo login welcome
  letmein changeme secret default master access system manager service server qwerty qwertz qwertyuiop azerty asdf
  asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qweasd qweasdzxc 1q2w3e 1q2w3e4r 1qaz2wsx zaq12wsx q1w2e3r4 abc abcd abcdef
  iloveyou loveyou lovely love princess dragon monkey shadow sunshine football baseball basketball soccer hockey
  superman batman pokemon starwars trustno michael jordan jennifer jessica ashley daniel charlie thomas robert andrew
  michelle nicole hunter buster killer george harley ranger hannah matrix freedom whatever computer internet samsung
  google facebook twitter instagram tradepost marketplace market summer winter spring autumn flower cheese cookie
  banana orange purple chocolate pepper ginger maggie bailey mustang corvette ferrari mercedes yankees liverpool
  chelsea arsenal barcelona killer hello hallo bonjour ninja solo donald mynoob hottie zxcvb jesus angel blessed`.split(
    /\s+/,
  ),
);

const RUNS = ['01234567890123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'];
const reverse = (s: string) => [...s].reverse().join('');

const isRun = (s: string): boolean => RUNS.some((run) => run.includes(s) || reverse(run).includes(s));

const isRepetition = (s: string): boolean => /^(.{1,4})\1+$/u.test(s);

export function isCommonPassword(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  const word = plain.replace(/[\d\p{P}\p{S}]+$/u, '').replace(/^[\d\p{P}\p{S}]+/u, '');
  const half = plain.slice(0, plain.length / 2);
  return (
    isRun(plain) ||
    isRepetition(plain) ||
    WORDS.has(plain) ||
    WORDS.has(word) ||
    (half + half === plain && (WORDS.has(half) || isRun(half)))
  );
}
