package import Cloud
package import Federation
import HTTPTypes
package import WireFormats

/// The keys of a KMS that another server has, which S3 uses on behalf of its callers.
package struct KeyGateway: Sendable {
    /// A key, with the policies that decide about it.
    package struct Key: Sendable {
        /// The ARN.
        package let arn: String
        /// The account that owns the key.
        package let account: String
        /// Its policy and grants.
        package let access: ResourceAccess
    }

    private let cloud: Cloud
    private let upstream: String
    private let authority: String
    private let reader: ResourceReader

    /// Creates the gateway; `nil` if KMS is not forwarded.
    /// - Parameter send: sends requests to upstreams.
    package init?(cloud: Cloud, rules: GatewayRules, send: @escaping UpstreamSend) {
        guard let upstream = rules.upstreams.url(signing: "kms"), let origin = Origin(url: upstream) else { return nil }
        self.cloud = cloud
        self.upstream = upstream
        authority = origin.authority
        reader = ResourceReader(client: UpstreamClient(rules, send: send), policies: rules.policies)
    }

    private var place: OwnRequestPlace {
        OwnRequestPlace(upstream: upstream, authority: authority, origin: upstream, time: cloud.clock.wall, client: nil)
    }

    /// Finds a key.
    /// - Parameters:
    ///   - name: an identifier, an alias, or the ARN of either.
    ///   - account: the account of the bucket, where a key without an ARN is.
    /// - Returns: `nil` if it does not exist.
    /// - Throws: ``UpstreamFailure`` if the upstream does not answer, or has a policy that cannot be read.
    package func find(_ name: String, account: String, region: String) async throws -> Key? {
        var arn = name
        if !name.hasPrefix("arn:") {
            arn = "arn:aws:kms:\(region):\(account):\(name.hasPrefix("alias/") ? name : "key/\(name)")"
        }
        if ResourceLookUp(arn) == nil {
            let lookUp = LookUp.key(alias: arn)
            let answer = try await reader.client.ask(lookUp.request, account: arn.accountInARN ?? account, region: region, place)
            if answer.isAbsence { return nil }
            guard answer.isSuccessful, let found = lookUp.result(in: answer.json) else {
                throw UpstreamFailure("\(lookUp.target) was answered with \(answer.status.code)")
            }
            arn = found
        }
        guard let lookUp = ResourceLookUp(arn), lookUp.service == "kms" else { return nil }
        let access = try await reader.access(by: lookUp, place)
        if let fault = access.fault { throw UpstreamFailure("the policy of \(arn) cannot be evaluated: \(fault)") }
        return access.exists ? Key(arn: arn, account: lookUp.account, access: access) : nil
    }

    /// Requests a data key, which shows whether the key can be used in its state.
    /// - Parameters:
    ///   - document: the body of the call.
    ///   - account: the account that owns the key.
    package func generateDataKey(_ document: JSONValue, account: String, region: String) async throws -> OutboundResponse {
        let request = OwnRequest("kms", json: "TrentService.GenerateDataKey", version: "1.1", document)
        let answer = try await reader.client.ask(request, account: account, region: region, place)
        return OutboundResponse(status: answer.status.code, headers: answer.fields, body: answer.body)
    }
}
