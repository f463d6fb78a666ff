/// The configuration file of an `NginxServer`.
struct NginxConfiguration {
  let text: String

  init(
    folder: String, limitRate: Int, ports: [NginxServer.Listener: UInt16],
    authority: TestAuthority
  ) throws {
    let right = try authority.issue("right", hosts: ["DNS:localhost", "IP:127.0.0.1"])
    let expired = try authority.issue(
      "expired", hosts: ["DNS:localhost", "IP:127.0.0.1"], isExpired: true)
    let other = try authority.issue("other", hosts: ["DNS:other.test"])
    var servers = ""
    for listener in NginxServer.Listener.allCases {
      let certificate: TestAuthority.Certificate? =
        switch listener {
        case .plain, .few: nil
        case .tls, .http2, .fewHTTP2, .clientCertificate: right
        case .expired: expired
        case .wrongHost: other
        }
      servers += Self.server(
        listener, port: ports[listener] ?? 0, certificate, folder: folder, limitRate: limitRate,
        authorityOfClients: listener == .clientCertificate ? authority : nil)
    }
    text = Self.frame(folder: folder, servers: servers)
  }

  private static func frame(folder: String, servers: String) -> String {
    """
    daemon off;
    master_process off;
    pid "\(folder)/nginx.pid";
    error_log "\(folder)/logs/error.log" warn;
    events { worker_connections 1024; }
    http {
      log_format haul "$server_port $server_protocol $request_method $request_uri $status "
        "$body_bytes_sent $http_range";
      access_log "\(folder)/logs/access.log" haul;
      client_body_temp_path "\(folder)/temp/body";
      proxy_temp_path "\(folder)/temp/proxy";
      fastcgi_temp_path "\(folder)/temp/fastcgi";
      uwsgi_temp_path "\(folder)/temp/uwsgi";
      scgi_temp_path "\(folder)/temp/scgi";
      limit_conn_zone $server_port zone=crowd:1m;
      default_type application/octet-stream;
      types { text/html html; text/plain txt; }
      etag on;
      gzip off;
      sendfile on;
      server_tokens off;
    \(servers)
    }

    """
  }

  private static func server(
    _ listener: NginxServer.Listener, port: UInt16, _ certificate: TestAuthority.Certificate?,
    folder: String, limitRate: Int, authorityOfClients: TestAuthority?
  ) -> String {
    let isHTTP2 = listener == .http2 || listener == .fewHTTP2
    let requests = listener == .few || listener == .fewHTTP2 ? 3 : 1_000_000
    let tls =
      certificate.map {
        "ssl_certificate \"\($0.certificatePath)\"; ssl_certificate_key \"\($0.keyPath)\";"
      } ?? ""
    let clients =
      authorityOfClients.map {
        "ssl_verify_client on; ssl_client_certificate \"\($0.certificatePath)\";"
      } ?? ""
    return """
      server {
        listen 127.0.0.1:\(port) reuseport\(certificate == nil ? "" : " ssl")\(isHTTP2 ? " http2" : "");
        server_name localhost;
        \(tls) \(clients)
        keepalive_requests \(requests);
        root "\(folder)/root";
        location / { }
        location = /client { return 200 $remote_addr; }
        location /limited/ { alias "\(folder)/root/"; limit_rate \(limitRate); }
        location /gzip/ {
          alias "\(folder)/root/"; gzip on; gzip_types *; gzip_min_length 1;
        }
        location /private/ {
          alias "\(folder)/root/"; auth_basic "haul"; auth_basic_user_file "\(folder)/users";
        }
        location /crowded/ {
          alias "\(folder)/root/"; limit_conn crowd 2; limit_conn_status 503;
        }
        location ~ ^/origin/(?<origin_port>[0-9]+)(?<origin_path>/.*)$ {
          proxy_pass http://127.0.0.1:$origin_port$origin_path$is_args$args;
          proxy_http_version 1.1;
          proxy_buffering off;
        }
      }

      """
  }
}
