import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// One signed call to identity pools: its caller and members.
struct IdentityPoolsCall: Sendable {
    let face: IdentityPoolsFace
    let http: Call
    let caller: Caller
    /// The caller's account.
    let account: String
    /// The region of the call's signature.
    let region: String
    /// The name of the operation.
    let action: String
    var members: JSONMembers

    var cloud: Cloud { http.cloud }
    var directory: Directory { http.cloud.directory }

    /// Rejects the call unless the caller may perform its action on a pool, also on one that does not exist.
    /// - Parameter id: the identifier of the pool; `nil` for an action without resources.
    func authorize(pool id: String?) throws(ServiceError) {
        let tags = id.flatMap { directory.identityPools.pool($0) }?.tags ?? []
        let resource = id.map { IdentityPool.arn(of: $0, in: account) } ?? "*"
        try authorize("cognito-identity:\(action)", on: resource) { tags.resourceTag($0) }
    }

    /// Rejects the call unless the caller may pass the roles to the service. (Developer Guide, "Role-based access control".)
    func authorize(passing roles: [String]) throws(ServiceError) {
        for role in roles.uniqued() {
            try authorize("iam:PassRole", on: role) { key in
                key == "iam:passedtoservice" ? ConditionValues.one(IdentityPool.ownProvider) : nil
            }
        }
    }

    private func authorize(
        _ action: String, on resource: String, operationKeys: @escaping @Sendable (String) -> ConditionValues?
    ) throws(ServiceError) {
        let verdict = http.authorize(caller, action, on: resource, ownedBy: account, region: region, operationKeys: operationKeys)
        guard let message = verdict.decision.message(for: verdict.context) else { return }
        throw ServiceError("AccessDenied", .forbidden, message)
    }

    /// Returns a pool of the caller's account and of the region of the call.
    func pool(_ id: String) throws(ServiceError) -> IdentityPool {
        do throws(IdentityPoolRefusal) {
            let pool = try directory.identityPool(id, in: account)
            guard pool.region == region else { throw .noSuchPool(id) }
            return pool
        } catch {
            throw ServiceError(error)
        }
    }

    /// Returns an identity of a pool of the caller's account.
    func identity(_ id: String) throws(ServiceError) -> (identity: PoolIdentity, pool: IdentityPool) {
        guard let identity = directory.identityPools.identity(id), let pool = directory.identityPools.pool(identity.pool),
            pool.account == account, pool.region == region
        else { throw ServiceError(IdentityPoolRefusal.noSuchIdentity(id)) }
        return (identity, pool)
    }

    /// Performs an operation on the directory, with the errors of the service.
    func edit<T: Sendable>(_ operation: (inout Directory) throws(IdentityPoolRefusal) -> T) async throws -> T {
        try await cloud.edit(saying: { (refusal: IdentityPoolRefusal) in ServiceError(refusal) }, operation)
    }
}

extension JSONMembers.Form {
    /// Identifiers of pools and identities.
    static let identifier = Self(1...55, .poolIdentifier)
    static let poolName = Self(1...128, .poolName)
    static let developerProvider = Self(1...128, .developerProvider)
    static let developerUser = Self(1...1024)
    static let providerName = Self(1...128)
    static let roleARN = Self(20...2048)
    static let token = Self(1...50_000)
    static let pageToken = Self(1...65_535)
    static let tagKey = Self(1...128)
    static let tagValue = Self(0...256)
}

extension QueryParameters.Pattern {
    fileprivate static let poolIdentifier = Self(
        text: "[\\w-]+:[0-9a-f-]+", accepts: { word.accepts($0) || $0 == "-" || $0 == ":" },
        frame: { text in
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
                && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == UInt8(ascii: "-") }
        })
    fileprivate static let poolName = Self(
        text: "[\\w\\s+=,.@-]+", accepts: { word.accepts($0) || $0.properties.isWhitespace || "+=,.@-".unicodeScalars.contains($0) })
    fileprivate static let developerProvider = Self(
        text: "[\\w._-]+", accepts: { word.accepts($0) || $0 == "." || $0 == "-" })
    /// Identifiers of applications of social providers.
    static let application = Self(
        text: "[\\w.;_/-]+", accepts: { word.accepts($0) || ".;/-".unicodeScalars.contains($0) })
    /// Names of user pools.
    static let userPool = Self(text: "[\\w._:/-]+", accepts: { word.accepts($0) || ".:/-".unicodeScalars.contains($0) })
    /// The words of a claim's name.
    static let claim = Self(text: "[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+", accepts: { !$0.properties.isWhitespace })
}
