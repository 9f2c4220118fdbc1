import WireFormats

/// The five fields of an Alibaba Cloud name, `acs:<service>:<region>:<account>:<relative id>`; the last keeps its colons.
private struct ACSFields {
    let fields: [Substring]

    init?(_ text: String) {
        fields = text.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0] == "acs" else { return nil }
    }

    /// The account and relative id of a RAM resource, `acs:ram::<account>:<relative id>`; nil for anything else.
    var ofRAM: (account: String, parts: [Substring])? {
        let account = String(fields[3])
        guard fields[1] == "ram", fields[2].isEmpty, Principal.isAlibabaAccount(account) else { return nil }
        let parts = fields[4].split(separator: "/", omittingEmptySubsequences: false)
        return parts.contains(where: { $0.isEmpty || $0.utf8.contains { "*?".utf8.contains($0) } }) ? nil : (account, parts)
    }
}

// The principals of Alibaba Cloud (RAM User Guide, "Permission policy elements", Principal; OSS User Guide, "Bucket policy").
extension PrincipalElement {
    /// Parses an entry under the key `RAM`: an account, a user or a role; nil for anything else, including a wildcard.
    init?(ram text: String) {
        guard let (account, parts) = ACSFields(text)?.ofRAM else { return nil }
        switch (parts[0], parts.count) {
        case ("root", 1): self = .account(account)
        case ("user", 2): self = .user(arn: text, id: nil)
        case ("role", 2): self = .role(arn: text, id: nil)
        default: return nil
        }
    }

    /// Parses an entry under the key `Service`: `ecs.aliyuncs.com`, or the service of another account, `<account>@ecs.aliyuncs.com`.
    init?(ramService text: String) {
        var name = text[...]
        if let at = text.firstIndex(of: "@") {
            guard Principal.isAlibabaAccount(String(text[..<at])) else { return nil }
            name = text[text.index(after: at)...]
        }
        let domain = ".aliyuncs.com"
        guard name.hasSuffix(domain), name.utf8.count > domain.utf8.count,
            name.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || "-.".utf8.contains($0) })
        else { return nil }
        self = .service(text)
    }

    /// Parses an entry under the key `Federated`: the name of a SAML or OpenID Connect provider in RAM.
    init?(ramFederated text: String) {
        guard let (_, parts) = ACSFields(text)?.ofRAM, parts.count == 2, ["saml-provider", "oidc-provider"].contains(parts[0]) else {
            return nil
        }
        self = .federated(text)
    }

    /// Parses an entry of the Principal element of a bucket policy: everyone, the id of an account, user or role, or sessions of roles,
    /// `arn:sts::<account>:assumed-role/<role>/<session>`, where `*` may replace each name.
    init?(oss text: String) {
        if text == "*" {
            self = .everyone
            return
        }
        if !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            self = Principal.isAlibabaAccount(text) ? .account(text) : .uniqueID(text)
            return
        }
        let prefix = "arn:sts::"
        guard text.hasPrefix(prefix),
            var pattern = try? Pattern("acs:ram::" + text.dropFirst(prefix.count), syntax: [.wildcards, .acsFields])
        else {
            return nil
        }
        let fields = text.dropFirst(prefix.count).split(separator: ":", omittingEmptySubsequences: false)
        let parts = fields.last?.split(separator: "/", omittingEmptySubsequences: false) ?? []
        guard fields.count == 2, fields[0] == "*" || Principal.isAlibabaAccount(String(fields[0])), parts.count == 3,
            parts[0] == "assumed-role", !parts.contains("")
        else { return nil }
        pattern.source = text
        self = .sessions(pattern)
    }
}
