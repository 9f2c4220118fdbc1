import Calls
import Cloud
import ControlDocuments
import Directory
import HTTPTypes
import Tokens
import WireFormats

extension ControlFace {
    /// `GET /_virga/keys[?provider=company]`: returns the keys that the providers publish, signing keys first.
    func listKeys(_ call: Call) async throws -> Response {
        guard let query = call.queryFields, query.fields.allSatisfy({ $0.name == "provider" }) else {
            throw ControlError(.badRequest, "unknown_filter", "The only filter is 'provider'.")
        }
        let cloud = call.cloud
        let names = try query.first("provider").map { [try Self.signer($0, in: cloud).name] } ?? Self.signers(in: cloud)
        var providers: JSONObject = [:]
        for name in names { providers[name] = Self.documents(try await cloud.keys(of: name), clock: cloud.clock).written }
        return .json(Document<KeyListMembers> { [$0.providers(.object(providers))] }.json)
    }

    /// `POST /_virga/keys/rotate` with `{"provider":"company"}`: creates new signing keys for all algorithms that the provider has keys of,
    /// or only for `algorithm`. The old key stays published for `overlap`, by default one hour. With `"publish":"before"`, the new key is
    /// only published, and signs after the next rotation.
    func rotateKeys(_ call: Call, _ body: JSONObject) async throws -> Response {
        try body.expect(only: ["provider", "algorithm", "overlap", "publish"])
        guard let name = try body.text("provider") else {
            throw ControlError(.badRequest, "missing_member", "Send {\"provider\":\"company\"}.")
        }
        let cloud = call.cloud
        let provider = try Self.signer(name, in: cloud)
        let algorithm = try body.choice("algorithm", of: SignatureAlgorithm.published)
        // The provider's own algorithm always has a key, even if it has not signed yet.
        _ = try await cloud.signingKey(for: name, algorithm: provider.signingAlgorithm ?? .rs256)
        let algorithms = Set(algorithm.map { [$0] } ?? [])
        let keys: [IssuerKey]
        switch try body.text("publish") {
        case nil:
            keys = try await cloud.rotateKeys(of: name, algorithms: algorithms, overlap: try Self.overlap(in: body))
        case "before":
            guard body["overlap"] == nil else { throw Self.malformedMember("'overlap' belongs to the rotation itself.") }
            keys = try await cloud.publishNextKeys(of: name, algorithms: algorithms)
        default: throw Self.malformedMember("'publish' must be before.")
        }
        let documents = Self.documents(keys, clock: cloud.clock)
        return .json(Document<RotatedKeysMembers> { [$0.provider(name), $0.keys(documents)] }.json)
    }

    private static func overlap(in body: JSONObject) throws(ControlError) -> Duration {
        guard let text = try body.text("overlap") else { return .seconds(3600) }
        guard let overlap = Duration(iso8601: text), overlap >= .zero, overlap <= .seconds(3650 * 86_400) else {
            throw malformedMember("'overlap' must be an ISO 8601 duration of at most ten years, such as PT1H; PT0S for none.")
        }
        return overlap
    }

    /// Returns the issuers whose tokens are signed.
    private static func signers(in cloud: Cloud) -> [String] {
        cloud.directory.providers.values.filter(\.kind.descriptor.signsIDTokens).map(\.name).sorted()
    }

    private static func signer(_ name: String, in cloud: Cloud) throws(ControlError) -> IdentityProvider {
        guard let provider = cloud.directory.providers[name], provider.kind.descriptor.signsIDTokens else {
            throw ControlError(
                .notFound, "unknown_provider",
                "There is no provider '\(name)' with signing keys; expected one of \(signers(in: cloud).joined(separator: ", ")).")
        }
        return provider
    }

    private static func documents(_ keys: [IssuerKey], clock: SandboxClock) -> [Document<KeyMembers>] {
        keys.map { issued -> Document<KeyMembers> in
            let key = issued.key
            let (stage, leaves): (String, String?) =
                switch issued.stage {
                case .spare: ("spare", nil)
                case .next: ("next", nil)
                case .current: ("current", nil)
                case .retired(let retired, let leaves):
                    ("retired", clock.effectiveExpiry(leaves, issuedAt: retired).iso8601Milliseconds)
                }
            return Document {
                [
                    $0.keyID(key.keyID), $0.algorithm(key.algorithm.rawValue), $0.created(clock.effective(key.created).iso8601Milliseconds),
                    $0.stage(stage), $0.leaves(leaves),
                ]
            }
        }
    }
}
