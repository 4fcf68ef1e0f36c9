// Creates the bucket "pictures" if necessary. Also shows whether the server responds.
const headers = { 'X-Auth-User': 'admin:admin', 'X-Auth-Key': 'admin-secret' };
const answer = await fetch('http://127.0.0.1:8080/auth/v1.0', { headers });
const token = answer.headers.get('x-auth-token') ?? '';
const made = await fetch(`${answer.headers.get('x-storage-url')}/pictures`, {
  method: 'PUT',
  headers: { 'X-Auth-Token': token },
});
if (!made.ok) process.exit(1);
