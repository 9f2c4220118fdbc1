import Calls
import CognitoFaces
import CredentialsFace
import Directory
import Federation
import HTTPTypes
import MobileCloudFace
import OSSFace
import WireFormats

extension Route {
    /// Rule 5: a path that belongs to a face.
    static func byPath(_ facts: RoutingFacts) -> Route? {
        for row in RoutingIndex.rows(forPath: facts.path) {
            if let route = row.route(to: facts.path, facts.residents) { return route }
        }
        return byOwner(facts)
    }

    /// Matches paths that a face has in some sandboxes only, and decides about itself.
    private static func byOwner(_ facts: RoutingFacts) -> Route? {
        let (path, residents) = (facts.path, facts.residents)
        if OSSFace.isPublicKey(path) { return .oss(bucketFromHost: nil) }
        if UserPoolIssuerFace.answers(facts.method, path) { return Route(.userPools) }
        if let place = HostedPages.place(of: path) { return Route(.userPools, name: place.pool, path: place.path) }
        if CredentialsFace.isForInstance(facts.method, path, facts.headers), residents.hasInstances() { return Route(.credentials) }
        if let bucket = CredentialsFace.bucketWithPathOfTask(facts.method, path), residents.hasTasks(), !residents.isBucket(bucket) {
            return Route(.credentials)
        }
        if path == CredentialsFace.pathOfConsoleLinks, isConsoleLink(facts) { return Route(.credentials) }
        if residents.isAppServer(path) { return Route(.appServer) }
        if MobileCloudFace.answers(path, hasBackends: residents.hasMobileBackends()),
            residents.hasMobileBackends() || !residents.isBucket("mobile")
        {
            return Route(.mobileCloud)
        }
        guard SAMLPaths.areFixed(path), let provider = residents.samlProvider() else { return nil }
        return Route(.identityProvider, name: provider, path: path)
    }

    /// Returns whether a request with the path of the AWS console's federation endpoint is for it, and not for a bucket with that name.
    private static func isConsoleLink(_ facts: RoutingFacts) -> Bool {
        switch facts.method {
        case .get, .head: facts.hasParameter("Action=getSigninToken") || facts.hasParameter("Action=login")
        case .post: facts.contentType?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
        default: false
        }
    }

    /// Matches unsigned calls of IAM Identity Center and of AWS services that are not here: those of the access portal by their token, the
    /// others by path and content type.
    static func byUnsignedCall(_ facts: RoutingFacts) -> Route? {
        let hasCenter = facts.residents.hasIdentityCenter()
        if facts.header(.portalToken) != nil { return hasCenter ? Route(.credentials) : .unavailable(service: "awsssoportal") }
        if hasCenter, facts.method == .get || facts.method == .head, facts.path == "/authorize", facts.hasParameter("response_type="),
            facts.hasParameter("client_id=")
        {
            return Route(.credentials)
        }
        guard facts.method == .post, let type = facts.contentType?.lowercased(),
            type.hasPrefix("application/json") || type.hasPrefix("application/x-amz-json-")
        else { return nil }
        let route = whole(RoutingIndex.calls, facts)
        // The rows of Identity Center have the name of its service.
        if !hasCenter, route?.endpoint == .credentials, let service = route?.name { return .unavailable(service: service) }
        return route
    }

    /// Matches paths that clients request from every server of a kind.
    static func byProbe(_ facts: RoutingFacts) -> Route? { whole(RoutingIndex.probes, facts) }

    private static func whole(_ rows: [RoutingRow], _ facts: RoutingFacts) -> Route? {
        rows.first { $0.text == facts.path && $0.methods.contains(facts.method) }.map { row in
            Route(row.endpoint, name: row.name, path: row.endpoint == .identityProvider ? facts.path : "")
        }
    }
}

extension RoutingRow {
    /// Returns the route of a path that has the row's mark; `nil` if it does not have it.
    fileprivate func route(to path: String, _ residents: any Residents) -> Route? {
        switch mark {
        case .path: return path == text ? Route(endpoint, name: name) : nil
        case .below:
            guard path.hasPrefix(text) else { return nil }
            let rest = path.utf8.dropFirst(text.utf8.count)
            return rest.isEmpty || rest.first == UInt8(ascii: "/") ? Route(endpoint, name: name) : nil
        case .pattern:
            let parts = text.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, path.hasPrefix(parts[0]), path.hasSuffix(parts[1]) else { return nil }
            let length = path.utf8.count - parts[0].utf8.count - parts[1].utf8.count
            guard length > 0 else { return nil }
            let isSegment = !path.utf8.dropFirst(parts[0].utf8.count).prefix(length).contains(UInt8(ascii: "/"))
            return isSegment ? Route(endpoint, name: name) : nil
        case .named: return Self.split(path, after: text).map { Route(endpoint, name: $0, path: $1) }
        case .realm:
            // A bucket may have the name with which Keycloak's paths begin. Then only existing realms match.
            guard let (realm, rest) = Self.split(path, after: text), !realm.isEmpty else { return nil }
            let first = path.dropFirst().prefix { $0 != "/" }
            guard residents.isProvider(realm) || !residents.isBucket(String(first)) else { return nil }
            return Route(endpoint, name: realm, path: rest)
        case .administration:
            guard path.hasPrefix(text) else { return nil }
            let rest = String(path.dropFirst(text.count))
            guard rest.isEmpty || rest.hasPrefix("/") else { return nil }
            let (first, realm) = (path.dropFirst().prefix { $0 != "/" }, rest.dropFirst().prefix { $0 != "/" })
            guard residents.isProvider(String(realm)) || !residents.isBucket(String(first)) else { return nil }
            return Route(endpoint, name: name, path: rest)
        case .metadata:
            guard let metadata = WellKnownPath(path) else { return nil }
            let realm = IssuerPaths.realm(in: metadata.issuerPath).map { ($0.name, $0.rest) }
            guard let (issuer, rest) = realm ?? Self.split(metadata.issuerPath, after: IssuerPaths.own), rest.isEmpty else { return nil }
            return Route(endpoint, name: issuer, path: metadata.document)
        case .machine(let kind):
            guard path.hasPrefix(text), residents.hasVendingMachine(kind) else { return nil }
            let rest = String(path.dropFirst(text.count))
            return rest.isEmpty || rest.hasPrefix("/") ? Route(endpoint, path: rest) : nil
        case .label, .scope, .scheme, .parameter, .version, .target, .call, .probe, .agent: return nil
        }
    }

    /// Returns the segment after a prefix, and the rest of the path.
    private static func split(_ path: String, after prefix: String) -> (String, String)? {
        guard path.hasPrefix(prefix) else { return nil }
        // Compares bytes, since every request to an identity provider needs it.
        let rest = path.utf8.dropFirst(prefix.utf8.count)
        let name = rest.prefix { $0 != UInt8(ascii: "/") }
        return (String(Substring(name)), String(Substring(rest[name.endIndex...])))
    }
}

extension HTTPField.Name {
    /// The access token of a call to the access portal.
    fileprivate static let portalToken = HTTPField.Name(literal: "x-amz-sso_bearer_token")
}
