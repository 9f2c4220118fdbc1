package import Cloud
import Cryptography
package import Directory
import WireFormats

/// A valid Facebook access token of a person. The Graph API and STS both verify tokens with it.
package struct FacebookToken: Sendable {
    /// The record of the token.
    package let grant: Grant
    /// The approval by the person.
    package let approval: Approval

    /// The reason why a token is not accepted. (Meta for Developers, "Handling Errors", subcodes of 190.)
    package enum Fault: Error, Sendable {
        /// The token is not one of Facebook's.
        case unknown
        /// The person has revoked the app's permissions.
        case notAuthorized(Client)
        case expired(Grant)
        case checkpoint
        case passwordChanged
        case unconfirmed
    }

    /// Looks a token up.
    /// - Throws: ``Fault``, or an error of the database.
    package init(_ text: String, at provider: IdentityProvider, in cloud: Cloud) throws {
        let found = try cloud.grants.look(up: text, kind: .accessToken, at: provider.name)
        var run = DecidingRun<Fault>()
        (grant, approval) = try Self.check(text, found, provider, cloud.clock, &run)
    }

    /// Returns every check that Facebook makes of a token.
    /// - Throws: an error of the database.
    package static func checks(of text: String, at provider: IdentityProvider, in cloud: Cloud) throws -> [VerificationCheck<Fault>] {
        let found = try cloud.grants.look(up: text, kind: .accessToken, at: provider.name)
        var run = RecordingRun<Fault>()
        do throws(Fault) { _ = try check(text, found, provider, cloud.clock, &run) } catch {}
        return run.checks
    }

    private static func check<Run: CheckRun>(
        _ text: String, _ found: Grant?, _ provider: IdentityProvider, _ clock: SandboxClock, _ run: inout Run
    ) throws(Fault) -> (Grant, Approval) where Run.Failure == Fault {
        let (grant, approval) = try run.find("issued") { () throws(Fault) in
            guard let found, let approval = Approval(found, at: provider) else {
                if let client = OpaqueToken.facebookClient(of: text, among: provider.clients) { throw .notAuthorized(client) }
                throw .unknown
            }
            return (found, approval)
        }
        let account = approval.person.facebook
        try run.check("password") { () throws(Fault) in
            if let changed = account?.passwordChanged, grant.issued.milliseconds <= changed.milliseconds { throw .passwordChanged }
        }
        try run.check("times") { () throws(Fault) in
            if clock.hasExpired(grant.expires, issuedAt: grant.issued) { throw .expired(grant) }
        }
        try run.check("user") { () throws(Fault) in
            // The owner of a disabled account is told to log in at Facebook.
            if !approval.person.isEnabled { throw .checkpoint }
            switch account?.block {
            case .checkpoint: throw .checkpoint
            case .unconfirmed: throw .unconfirmed
            case nil: break
            }
        }
        return (grant, approval)
    }
}

extension IdentityProvider {
    /// Returns the identifier by which a client knows a person: `sub`, the ID at a Facebook app, or GitHub's number.
    package func identifier(of person: Person, for client: Client) -> String {
        switch kind {
        case .facebook: client.facebookID(of: person)
        case .github: String(person.gitHubID)
        case .openIDConnect, .amazon, .google: subject(of: person, for: client)
        }
    }
}

extension Client {
    /// Returns the identifier by which the app knows a person. For apps with app-scoped identifiers it is specific to the app, and the
    /// person's own identifier cannot be derived from it.
    /// - Parameter version: the version of the request; the app's own if absent.
    package func facebookID(of person: Person, version: GraphVersion? = nil) -> String {
        let version = version ?? facebook?.version ?? .current
        guard facebook?.hasScopedIDs == true, version >= GraphVersion(major: 2, minor: 0) else { return person.subject }
        // Facebook's identifiers have seventeen digits too.
        let number = SHA256.hash("app-scoped \(id) \(person.subject)").prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return String(10_000_000_000_000_000 + number % 90_000_000_000_000_000)
    }
}
