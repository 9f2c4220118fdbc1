import Cloud
import Directory
import WireFormats

/// The settings of a domain that a call gives.
private struct UserPoolDomainSettings: Sendable {
    /// The ARN of the certificate of a custom domain; `nil` for a prefix.
    var certificate: String?

    init(_ input: inout UserPoolInput) throws(UserPoolError) {
        guard try input.integer("ManagedLoginVersion", range: 1...2) != 2 else { throw .unsupported("ManagedLoginVersion 2") }
        guard try input.object("Routing") == nil else { throw .unsupported("the member Routing") }
        guard var configuration = try input.object("CustomDomainConfig") else { return }
        certificate = try configuration.requiredText("CertificateArn", length: 20...2048)
        // The least version of TLS has no effect here, where TLS is that of the process.
        _ = try configuration.choice("SecurityPolicy", of: ["TLS_V1", "TLS_V1_2_2021", "TLS_V1_3_2025"])
        try configuration.check()
    }
}

extension UserPoolDomain {
    /// The name of the distribution, to which the customer's own domain would refer. It is made up, but always the same.
    fileprivate var distribution: String { "d\(host.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }).cloudfront.net" }

    fileprivate var document: JSONObject {
        var members: JSONObject = ["ManagedLoginVersion": 1]
        if isCustom { members["CloudFrontDomain"] = .string(distribution) }
        return members
    }

    fileprivate func description(account: String) -> JSONValue {
        var members: JSONObject = [
            "UserPoolId": .string(pool), "AWSAccountId": .string(account), "Domain": .string(name),
            "CloudFrontDistribution": .string(distribution), "Version": .string(created.basicDigits), "Status": "ACTIVE",
            "ManagedLoginVersion": 1,
        ]
        if let certificate { members["CustomDomainConfig"] = ["CertificateArn": .string(certificate)] }
        return .object(members)
    }
}

extension Timestamp {
    /// The digits of date and time, such as `20261129175300`.
    fileprivate var basicDigits: String { basic.filter { $0 != "T" && $0 != "Z" } }
}

extension SignedUserPoolCall {
    private mutating func domainName() throws(UserPoolError) -> String {
        try input.requiredText("Domain", length: 1...63)
    }

    /// Checks that a domain has the form of its kind.
    private static func check(_ name: String, isCustom: Bool) throws(UserPoolError) {
        guard isCustom ? UserPoolDomain.isHostName(name) : UserPoolDomain.isPrefix(name) else {
            // The text is known from public reports.
            throw .invalidParameter(
                """
                The domain name contains an invalid character. Domain names can only contain lower-case letters, numbers, and hyphens. \
                Please enter a different name that follows this format: ^[a-z0-9](?:[a-z0-9\\-]{0,61}[a-z0-9])?$
                """)
        }
        // (Amazon Cognito Developer Guide, "Using the Amazon Cognito domain for managed login".)
        if !isCustom, let word = ["aws", "amazon", "cognito"].first(where: { name.contains($0) }) {
            throw .invalidParameter("Domain cannot contain reserved word: \(word)")
        }
    }

    /// CreateUserPoolDomain.
    mutating func createUserPoolDomain() async throws -> JSONValue? {
        let (id, name, settings) = (try poolID(), try domainName(), try UserPoolDomainSettings(&input))
        let pool = try pool(id)
        try Self.check(name, isCustom: settings.certificate != nil)
        let domain = UserPoolDomain(name: name, pool: pool.id, certificate: settings.certificate, created: cloud.clock.now)
        try await cloud.edit { directory in try directory.addUserPoolDomain(domain) }
        return .object(domain.document)
    }

    /// UpdateUserPoolDomain. Only the certificate of a custom domain can change.
    mutating func updateUserPoolDomain() async throws -> JSONValue? {
        let (id, name, settings) = (try poolID(), try domainName(), try UserPoolDomainSettings(&input))
        let pool = try pool(id)
        let host = UserPoolDomain.host(named: name, in: pool.region)
        let changed = try await cloud.edit { directory in
            try directory.changeUserPoolDomain(ofHost: host, of: pool.id) { domain in
                if domain.isCustom { domain.certificate = settings.certificate ?? domain.certificate }
            }
        }
        return .object(changed.document)
    }

    /// DescribeUserPoolDomain. The description of a domain that does not exist is empty.
    mutating func describeUserPoolDomain() async throws -> JSONValue? {
        let name = try domainName()
        try input.check()
        try authorize(on: "*")
        guard let domain = pools.domain(ofHost: UserPoolDomain.host(named: name, in: region)), let pool = pools.pool(domain.pool),
            pool.account == account, pool.region == region
        else { return ["DomainDescription": [:]] }
        return ["DomainDescription": domain.description(account: account)]
    }

    /// DeleteUserPoolDomain.
    mutating func deleteUserPoolDomain() async throws -> JSONValue? {
        let (id, name) = (try poolID(), try domainName())
        let pool = try pool(id)
        let host = UserPoolDomain.host(named: name, in: pool.region)
        try await cloud.edit { directory in try directory.deleteUserPoolDomain(ofHost: host, of: pool.id) }
        return [:]
    }
}
