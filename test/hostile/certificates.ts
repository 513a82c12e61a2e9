/** Certificates for hostile receivers. */
import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

const { md, pki } = forge;
const DAY_MS = 86_400_000;

/** A certificate and the key to it, in PEM. */
export interface Certified {
  readonly key: string;
  readonly cert: string;
}

/** The properties in which certificates differ. */
export interface CertificateOptions {
  /** Common name of the subject; the first of its alternative names by default. */
  readonly subject?: string;
  /** Common name of the issuer; the subject by default. */
  readonly issuer?: string;
  readonly expired?: boolean;
}

/** One key serves all: a certificate is told by its names. */
const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/**
 * A certificate made on the spot, self-signed and valid for a day.
 *
 * @param names - As in `DNS:a.test` and `IP:127.0.0.1`.
 */
export function certificate(names: readonly string[], options: CertificateOptions = {}): Certified {
  const { subject = names[0] ?? '', issuer = subject, expired = false } = options;
  const cert = pki.createCertificate();
  cert.publicKey = pki.publicKeyFromPem(keys.publicKey);
  cert.validity.notBefore = new Date(Date.now() - 2 * DAY_MS);
  cert.validity.notAfter = new Date(Date.now() + (expired ? -DAY_MS : DAY_MS));
  cert.setSubject([{ name: 'commonName', value: subject }]);
  cert.setIssuer([{ name: 'commonName', value: issuer }]);
  cert.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: names.map(altName) },
  ]);
  cert.sign(pki.privateKeyFromPem(keys.privateKey), md.sha256.create());
  return { key: keys.privateKey, cert: pki.certificateToPem(cert) };
}

/** RFC 5280, 4.2.1.6: 2 is a DNS name, 7 an address. */
function altName(name: string): { type: number; value: string } | { type: number; ip: string } {
  const [kind, value = ''] = name.split(/:(.*)/);
  return kind === 'IP' ? { type: 7, ip: value } : { type: 2, value };
}
