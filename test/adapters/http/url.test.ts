/** Checks of endpoints' URLs. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkUrl } from '../../../src/adapters/http/index.js';
import { expectOwnWords } from './vocabulary.js';

const loopback = { allow: ['127.0.0.0/8', '::1/128'] };

test.for([
  'https://example.com/hooks?key=1#part',
  'http://example.com',
  'https://example.com.:8443/',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]:9443/x',
  'https://bücher.example/',
  'https://%65xample.com/',
  'https://127.0.0.1.nip.io/', // a name: judged by what it resolves to
  'https://local.host/',
  'HTTPS://EXAMPLE.COM/',
  `https://${'abcdefg.'.repeat(31)}co.uk/`,
  `https://${'abcdefg.'.repeat(31)}co.uk./`,
  `https://${'a'.repeat(63)}.com/`,
  `https://example.com/${'a'.repeat(8_172)}`,
])('%s may be saved', (url) => {
  expect(checkUrl(url)).toBeNull();
});

test.for([
  ['', 'not an absolute URL'],
  ['/hooks', 'not an absolute URL'],
  ['example.com/hooks', 'not an absolute URL'],
  ['https://', 'not an absolute URL'],
  ['https://exa mple.com/', 'not an absolute URL'],
  ['https://example.com:99999/', 'not an absolute URL'],
  ['https://[fe80::1%25eth0]/', 'not an absolute URL'],
  ['https://256.1.1.1/', 'not an absolute URL'],
  ['ftp://example.com/', 'the scheme ftp: is not supported'],
  ['file:///etc/passwd', 'the scheme file: is not supported'],
  ['gopher://example.com:25/', 'the scheme gopher: is not supported'],
  ['javascript:alert(1)', 'the scheme javascript: is not supported'],
  ['https://user:pa55@example.com/', 'credentials in the URL are not supported'],
  ['https://user@example.com/', 'credentials in the URL are not supported'],
  ['https://:pa55@example.com/', 'credentials in the URL are not supported'],
  [`https://${'a'.repeat(1_000_000)}/`, 'longer than 8192 characters'],
  [`https://example.com/${'a'.repeat(8_173)}`, 'longer than 8192 characters'],
  [`https://${'abcdefg.'.repeat(32)}com/`, 'the host is too long for a DNS name'],
  [`https://${'a'.repeat(64)}.com/`, 'the host is too long for a DNS name'],
  [`${'x'.repeat(1_000)}://example.com/`, 'the scheme is not supported'],
  ['http://example.com:25/', 'port 25 belongs to another protocol'],
  ['http://example.com:6667/', 'port 6667 belongs to another protocol'],
] as const)('%s is refused: %s', ([url, reason]) => {
  const problem = checkUrl(url);
  expect(problem).toMatchObject({ code: 'url_refused' });
  expect(problem!.message).toContain(reason);
  expect(problem!.message).not.toContain('pa55');
});

test.for([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://0/',
  'http://127.0.0.0x/',
  'http://%31%32%37.0.0.1/',
  'http://１２７.０.０.１/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://127.0.0.1:8080/',
  'http://localhost/',
  'http://LOCALHOST:3000/',
  'http://localhost./',
  'http://api.localhost/',
  'http://ⓛocalhost/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::5efe:7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001::1]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://10.0.0.1\\@example.com/',
  'http://10.0.0.1#@example.com/',
  'http://10.0.0.1?@example.com/',
  'http:10.0.0.1',
  'http:\\\\10.0.0.1\\',
  'ht\ntp://10.0\t.0.1/',
  ' http://10.0.0.1/ ',
])('%j is refused: its address is not public', (url) => {
  expect(checkUrl(url)).toMatchObject({ code: 'address_refused' });
});

test.for(['http://127.0.0.1:8080/', 'http://localhost/', 'http://[::1]/', 'http://0x7f.1/'])(
  '%s may be saved where the operator allows the loopback',
  (url) => {
    expect(checkUrl(url, loopback)).toBeNull();
  },
);

test('whatever is written as a URL, what is wrong with it is said in few of our own words', () => {
  const scheme = fc.constantFrom('http://', 'https://', 'ftp://', '', 'http:\\\\');
  const host = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map((ip) => `[${ip}]`),
    fc.string({ unit: 'binary' }),
  );
  const long = fc.tuple(fc.string({ minLength: 1 }), fc.nat(10_000)).map(([text, n]) => text.repeat(n));
  fc.assert(
    fc.property(scheme, fc.oneof(host, long), fc.string(), (before, name, after) => {
      const problem = checkUrl(before + name + after);
      if (problem === null) return;
      const { code, message } = problem;
      expectOwnWords({ ok: false, failure: code, transient: false, detail: message });
      expect(message.length).toBeLessThan(400);
    }),
    { numRuns: 1_000 },
  );
});

test('localhost needs both of its addresses allowed', () => {
  expect(checkUrl('http://localhost/', { allow: ['127.0.0.0/8'] })).toMatchObject({
    code: 'address_refused',
  });
});
