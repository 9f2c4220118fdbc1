import Calls
import Cloud
import Directory
import Federation
import Policy
import Tokens
import WireFormats

extension Inspector {
    /// The sessions that a response requests from `AssumeRoleWithSAML`: the pairs of role and SAML provider in its attribute `Role`, of which
    /// an account has the provider. All pairs in one account for an encrypted assertion, whose attributes cannot be read here. None for a
    /// response to another service provider.
    /// (IAM User Guide, "Configure SAML assertions for the authentication response".)
    func requests(in response: XMLElement) -> [(role: String, provider: SAMLTrust)] {
        let directory = cloud.directory
        guard let assertion = response.child("Assertion", in: SAML.assertion) else {
            guard response.child("EncryptedAssertion", in: SAML.assertion) != nil else { return [] }
            let roles = directory.roles.values.sorted { $0.arn < $1.arn }
            return directory.samlTrusts.values.filter { Vendor(account: $0.account) == .aws && !$0.privateKeys.isEmpty }
                .sorted { $0.arn < $1.arn }
                .flatMap { trust in roles.filter { $0.role.account == trust.account }.map { ($0.arn, trust) } }
        }
        let attributes = assertion.children.filter { $0.isNamed("AttributeStatement", in: SAML.assertion) }.flatMap(\.children)
            .filter { $0.attribute("Name") == "https://aws.amazon.com/SAML/Attributes/Role" }
        return attributes.flatMap(\.children).compactMap { value in
            let pair = value.text.split(separator: ",").map { String($0).withoutSpaceAround }
            guard pair.count == 2 else { return nil }
            for (role, provider) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                if let trust = directory.samlTrust(arn: provider, at: .aws) { return (role, trust) }
            }
            return nil
        }
    }

    /// Adds the checks that `AssumeRoleWithSAML` makes: those of a request for which all pass, or else those of the first one.
    func check(
        _ document: [UInt8], for requests: [(role: String, provider: SAMLTrust)], issuer: String, _ found: inout Inspection
    ) async throws {
        guard let services else { return }
        var judged: (role: String, provider: SAMLTrust, checks: [ServiceCheck])?
        for (role, provider) in requests {
            let checks = try await services.checkSAMLResponse(document.base64, role, provider, call)
            let isAccepted = checks.allSatisfy { $0.refusal == nil }
            if isAccepted || judged == nil { judged = (role, provider, checks) }
            if isAccepted { break }
        }
        guard let (role, provider, checks) = judged else { return }
        for check in checks {
            let words =
                switch check.name {
                case "issuer": "the issuer \(issuer) is that of \(provider.arn)."
                case "signature": "a key in the metadata of \(provider.arn) verifies the signature."
                case "times": "STS accepts the times; it is \(now)."
                case "role": "the attribute Role names \(role)."
                default: "STS accepts it."
                }
            found.check(check, passed: words)
        }
    }
}

extension String {
    fileprivate var withoutSpaceAround: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[first...last])
    }
}
