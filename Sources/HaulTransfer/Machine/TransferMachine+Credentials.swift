internal import HaulHTTP

extension TransferMachine {
  /// Who asks at an address: the owner's word rules, then the URL's, then the netrc's.
  func credentials(for url: HTTPURL, maySeeSecrets: Bool) -> Credentials? {
    guard maySeeSecrets else {
      // See `TransferRequest.netrc`.
      guard url.scheme == "https", !request.connection.isInsecure else { return nil }
      return request.netrc?.credentials(for: url.host, allowsDefault: false)
    }
    if let given = request.credentials { return given }
    guard let user = request.url.user else { return request.netrc?.credentials(for: url.host) }
    if let password = request.url.password { return Credentials(user: user, password: password) }
    return request.netrc?.credentials(for: url.host, user: user)
      ?? Credentials(user: user, password: "")
  }

  /// What to do about a 401 of a server that accepts these schemes, in lower case.
  func remedyForUnauthorized(at url: HTTPURL, accepts schemes: [String]) -> String {
    let maySeeSecrets = HeaderScope.mayCarrySecrets(to: url, given: request.url)
    if maySeeSecrets, request.fields.contains(where: isAuthorization) {
      return "what the header field Authorization says was refused"
    }
    if let first = schemes.first, !schemes.contains("basic") {
      guard schemes.contains("bearer") else {
        return "the server accepts no passwords but by “\(first)”, which Haul does not speak"
      }
      return maySeeSecrets
        ? "the server wants a token: --secret-header 'Authorization: Bearer TOKEN'"
        : "it wants a token, which goes to the first address only; ask for the other one itself"
    }
    if credentials(for: url, maySeeSecrets: maySeeSecrets) != nil {
      return "the user or the password was refused"
    }
    guard maySeeSecrets else {
      let isKept = request.netrc?.credentials(for: url.host, allowsDefault: false) != nil
      return "it wants a user and a password"
        + (isKept ? "; those of the netrc are sent over https with certificates checked only" : "")
    }
    guard request.netrc == nil else { return "the netrc has no entry for \(url.host)" }
    return "give a user and a password: --user USER:PASSWORD"
  }

  private func isAuthorization(_ field: RequestField) -> Bool {
    field.field.name.equalsIgnoringASCIICase("Authorization")
  }
}
