import Cryptography
import RequestSigning
import Testing
import WireFormats

@Suite("The signing key of OSS Version 4")
struct OSSSigningKeyTests {
    private let scope = CredentialScope(date: "20231216", region: "cn-hangzhou", service: "oss", scheme: .alibabaCloud)

    @Test("is derived by the published chain")
    func chain() {
        let published = HMACKey([UInt8](hex: "73f3a70b617948066a1b1dc9ec28906f0678463f4eac270cc13f69fb96ee367f") ?? [])
        let policy = "eyJjb25kaXRpb25zIjpbXX0="
        let form = FormSignature(version: .v4(scope, OSSVectors.time), policy: policy, key: published)
        #expect(throws: Never.self) {
            try form.verify(secret: OSSVectors.secret) { ScopedSigningKey(secret: OSSVectors.secret, scope: $0) }
        }
    }

    @Test("differs for every scheme, also in the cache")
    func schemes() {
        let cache = SigningKeyCache()
        for _ in 0..<2 {
            for secret in ["a", "b"] {
                for scheme in [CredentialScope.Scheme.alibabaCloud, .aws] {
                    var scope = scope
                    scope.scheme = scheme
                    let form = FormSignature(version: .v4(scope, OSSVectors.time), policy: "p", key: HMACKey(chain(secret, scope)))
                    #expect(throws: Never.self) { try form.verify(secret: secret) { cache.key(secret: secret, scope: $0) } }
                }
            }
        }
    }

    private func chain(_ secret: String, _ scope: CredentialScope) -> [UInt8] {
        let start = (scope.scheme == .aws ? "AWS4" : "aliyun_v4") + secret
        return [scope.date, scope.region, scope.service, scope.scheme.terminator].reduce(Array(start.utf8)) { hmacSHA256(key: $0, $1) }
    }
}

extension FormSignature {
    /// Creates a form with a policy that a key has signed.
    fileprivate init(version: Version, policy: String, key: HMACKey) {
        let fields = [
            "policy": policy, "x-oss-signature-version": OSSSignature.algorithmV4, "x-oss-date": "20231216T162057Z",
            "x-oss-credential": "k/20231216/cn-hangzhou/oss/aliyun_v4_request", "x-oss-signature": key.authenticate(policy).hex,
        ]
        guard var form = try? FormSignature.ofOSS({ fields[$0] }) else { preconditionFailure("a sound form") }
        form.version = version
        self = form
    }
}
