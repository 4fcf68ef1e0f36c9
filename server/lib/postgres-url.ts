/** As pg reads it: the host may be missing where a parameter names a socket. */
export const parsePostgresUrl = (url: string): URL => new URL(url.replace('@/', '@localhost/'));
