import ControlDocuments
import Cryptography
import WireFormats

/// What the control API returns for a login with `aws login`.
struct LoginOffer: Sendable {
    /// The ARN of the identity.
    private let session: String
    /// The cache file.
    private let cache: String

    init(_ offer: Document<CredentialOfferMembers>) {
        (session, cache) = (offer.session ?? "", offer.cache?.serialized() ?? "")
    }

    /// Writes a configuration file of AWS, and the cache that it needs.
    /// - Returns: the path of the configuration file, and the folder of the cache.
    func files(_ write: (_ text: String, _ kind: String) throws -> String) rethrows -> (configuration: String, cacheFolder: String) {
        // SDKs look for a file with this name. (botocore, `LoginTokenLoader`.)
        let path = try write(cache, "\(SHA256.hash(session).hex).json")
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        return (try write("[default]\nregion = us-east-1\nlogin_session = \(session)\n", "config"), folder)
    }
}
