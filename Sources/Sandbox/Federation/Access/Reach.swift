import Policy
import WireFormats

/// How many of the requests that a caller can make for an action on a resource are allowed.
package enum Reach: String, Comparable, Sendable, CaseIterable {
    /// No request is allowed.
    case denied
    /// It depends on a value that policies read and that differs from request to request or from session to session.
    case conditional
    /// Every request is allowed.
    case allowed

    package static func < (left: Reach, right: Reach) -> Bool { left.order < right.order }

    private var order: Int {
        switch self {
        case .denied: 0
        case .conditional: 1
        case .allowed: 2
        }
    }
}

extension Authorizer.Verdict {
    /// Returns whether every request like this one is allowed, none, or some.
    ///
    /// The request is decided again by the same evaluator: once so that no value that is not known lets it pass, and once so that none
    /// stops it. Conditions that exclude each other are not compared, so ``Reach/conditional`` can stand for a request that no values allow.
    /// - Parameter isOpen: whether the value of a condition key, by its lowercased name, is not known.
    package func reach(where isOpen: (_ lowercasedKey: String) -> Bool) -> Reach {
        let open = policies.conditionKeys.map { $0.lowercased() }.filter(isOpen)
        guard !open.isEmpty else { return decision.isAllowed ? .allowed : .denied }
        var context = context
        context.keys.set(open.map { (key: $0, values: ConditionValues.unknown) })
        if policies.decision(for: context).isAllowed { return .allowed }
        context.favorsUnknown = true
        return policies.decision(for: context).isAllowed ? .conditional : .denied
    }
}

/// The condition keys whose values are not decided by who the caller is and what the resource is.
package enum OpenKeys {
    /// Returns whether each request has its own value of a key, whoever makes it.
    /// - Parameter key: in lowercase.
    package static func differ(byRequest key: String) -> Bool {
        if requestKeys.contains(key) || key.hasPrefix("aws:requesttag/") { return true }
        guard key.hasPrefix("s3:") || key.hasPrefix("oss:") else { return false }
        return !resourceKeys.contains { key.hasPrefix($0) }
    }

    /// Returns whether a caller with long-term keys can have another value of a key, in a session with an MFA device.
    package static func differ(byDevice key: String) -> Bool { deviceKeys.contains(key) }

    /// Returns whether sessions of one role have different values of a key: claims, tags, the session's name, times.
    package static func differ(bySession key: String) -> Bool { !roleKeys.contains(key) && !resourceKeys.contains { key.hasPrefix($0) } }

    private static let requestKeys = [
        "aws:sourceip", "aws:securetransport", "aws:currenttime", "aws:epochtime", "aws:useragent", "aws:referer", "aws:tagkeys",
        "aws:multifactorauthage", "acs:sourceip", "acs:securetransport", "acs:currenttime", "acs:useragent",
        "acs:accessid",
    ]

    private static let deviceKeys = ["aws:tokenissuetime", "aws:multifactorauthpresent", "acs:mfapresent"]

    /// Keys that every session of a role has with the same value, or that no request has here.
    private static let roleKeys = [
        "aws:principalarn", "aws:principalaccount", "aws:principaltype", "aws:principalisawsservice", "aws:username",
        "aws:principalorgid", "aws:principalorgpaths", "aws:resourceaccount", "aws:resourceorgid", "aws:resourceorgpaths",
        "aws:requestedregion", "aws:viaawsservice", "aws:calledvia", "aws:calledviafirst", "aws:calledvialast", "aws:sourcearn",
        "aws:sourceaccount", "aws:sourcevpc", "aws:sourcevpce", "aws:vpcsourceip", "acs:principalarn", "acs:sourcevpc",
    ]

    /// The beginnings of keys about the resource.
    private static let resourceKeys = [
        "s3:resourceaccount", "s3:existingobjecttag/", "s3:buckettag/", "s3:resourcetag/", "aws:resourcetag/", "oss:existingobjecttag/",
        "oss:buckettag/",
    ]
}
