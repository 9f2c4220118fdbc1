import Cloud
import Federation
import GatewayFace
import S3Face
import WireFormats

extension KeyService {
    /// Creates the client of the KMS that S3 uses: that of a URL, otherwise the one to which calls of KMS are forwarded; `nil` without either.
    init?(_ rules: ServiceRules, cloud: Cloud, services: SandboxServices) {
        if let url = rules.keyService {
            self.init(url: url, send: services.outbound)
            return
        }
        guard let gateway = rules.gateway, let keys = KeyGateway(cloud: cloud, rules: gateway, send: services.forward) else {
            return nil
        }
        self.init(
            ask: { try await keys.generateDataKey($0, account: $1, region: $2) },
            find: { name, account, region in
                guard let key = try await keys.find(name, account: account, region: region) else { return nil }
                return ForwardedKey(arn: key.arn, account: key.account, policy: key.access.policy, grants: key.access.grants)
            })
    }
}
