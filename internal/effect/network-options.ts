/** The option grammars of curl and wget: curl 8.x and GNU wget 1.2x, from their own manuals. */
import type { Word } from '../shell/word.ts';
import { type Grammar, type Parsed, parseOptions } from './options.ts';

const CURL: Grammar = {
  flags: [
    ...'012346aBfgGiIjJkKlLMnNOpqRsSvVZ#:',
    ...'anyauth append basic ca-native cert-status compressed compressed-ssh create-dirs crlf digest disable disable-eprt disable-epsv disallow-username-in-url doh-cert-status doh-insecure fail fail-early fail-with-body false-start form-escape ftp-create-dirs ftp-pasv ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-control get globoff haproxy-protocol head http0.9 http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only ignore-content-length include insecure ipv4 ipv6 junk-session-cookies list-only location location-trusted mail-rcpt-allowfails manual metalink negotiate netrc netrc-optional next no-buffer no-clobber no-keepalive no-progress-meter no-sessionid ntlm ntlm-wb parallel parallel-immediate path-as-is post301 post302 post303 progress-bar proxy-anyauth proxy-basic proxy-ca-native proxy-digest proxy-http2 proxy-insecure proxy-negotiate proxy-ntlm proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tlsv1 proxytunnel raw remote-header-name remote-name remote-name-all remote-time remove-on-error retry-all-errors retry-connrefused sasl-ir show-error show-headers silent socks5-basic socks5-gssapi socks5-gssapi-nec ssl ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort sslv2 sslv3 styled-output suppress-connect-headers tcp-fastopen tcp-nodelay tftp-no-options tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace-ids trace-time use-ascii verbose version xattr'.split(
      ' ',
    ),
  ],
  values: [
    ...'AbcCdDeEFHKmoPQrtTuUwxXyYz',
    ...'abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header egd-file engine etag-compare etag-save expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header hostpubmd5 hostpubsha256 hsts interface ip-tos ipfs-gateway json keepalive-cnt keepalive-time key key-type krb libcurl limit-rate local-port login-options mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output output-dir parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range rate referer request request-target resolve retry retry-delay retry-max-time sasl-authzid service-name socks4 socks4a socks5 socks5-gssapi-service socks5-hostname speed-limit speed-time stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii trace-config unix-socket upload-file url url-query user user-agent variable vlan-priority write-out'.split(
      ' ',
    ),
  ],
  optional: ['h', 'help'],
  aliases: {
    A: 'user-agent',
    b: 'cookie',
    c: 'cookie-jar',
    d: 'data',
    'data-ascii': 'data',
    D: 'dump-header',
    e: 'referer',
    E: 'cert',
    F: 'form',
    G: 'get',
    h: 'help',
    H: 'header',
    I: 'head',
    J: 'remote-header-name',
    K: 'config',
    M: 'manual',
    n: 'netrc',
    o: 'output',
    O: 'remote-name',
    T: 'upload-file',
    u: 'user',
    V: 'version',
    x: 'proxy',
    X: 'request',
  },
};

const WGET: Grammar = {
  flags: [
    ...'VhbdqvncNSxkKmprHLEF46',
    ...'version help background debug quiet verbose no-verbose no-clobber continue timestamping server-response spider no-dns-cache ipv4-only inet4-only ipv6-only inet6-only force-directories protocol-directories no-directories no-host-directories html-extension adjust-extension no-http-keep-alive no-cache no-cookies ignore-length save-headers content-disposition content-on-error trust-server-names auth-no-challenge no-check-certificate https-only no-remove-listing no-glob passive-ftp recursive delete-after convert-links backup-converted mirror page-requisites strict-comments span-hosts relative no-parent no-config no-proxy show-progress no-hsts retry-connrefused random-wait'.split(
      ' ',
    ),
  ],
  values: [
    ...'oaeiBtOTwQPUlARDIX',
    ...'output-file append-output execute input-file base config tries output-document timeout dns-timeout connect-timeout read-timeout wait waitretry limit-rate bind-address prefer-family user password quota cut-dirs directory-prefix default-page http-user http-password header compression max-redirect proxy-user proxy-password referer user-agent load-cookies save-cookies keep-session-cookies post-data post-file method body-data body-file secure-protocol certificate certificate-type private-key private-key-type ca-certificate ca-directory crl-file ciphers ftp-user ftp-password level accept reject accept-regex reject-regex regex-type domains exclude-domains follow-tags ignore-tags include-directories exclude-directories progress start-pos restrict-file-names'.split(
      ' ',
    ),
  ],
  aliases: { O: 'output-document', P: 'directory-prefix', V: 'version', h: 'help', i: 'input-file', U: 'user-agent', e: 'execute' },
};

export const curlOptions = (words: readonly Word[]): Parsed => parseOptions(words, CURL);
export const wgetOptions = (words: readonly Word[]): Parsed => parseOptions(words, WGET);
