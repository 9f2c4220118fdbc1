package import Policy
import WireFormats

/// The session settings that an identity provider requests: tags, a source identity, and the roles that may be assumed. An ID token has
/// them in AWS-specific claims, an assertion in its attributes.
/// (IAM User Guide, "Pass session tags in AWS STS", section "AssumeRoleWithWebIdentity".)
package struct SessionRequests: Sendable, Equatable {
    /// The tags in the order of the claims; keys are unique, ignoring case.
    package var tags: [Tag] = []
    /// The keys of tags that are passed on to further sessions.
    package var transitiveTagKeys: [String] = []
    /// `https://aws.amazon.com/source_identity`
    package var sourceIdentity: String?
    /// The ARNs in `https://aws.amazon.com/roles`; `nil` if the token does not limit the roles.
    package var roles: [String]?

    /// A session tag.
    package struct Tag: Sendable, Equatable {
        /// The key.
        package var key: String
        /// The values: one, or several in Ceph's dialect.
        package var values: [String]

        /// The values of the condition key.
        package var conditionValues: ConditionValues { values.count == 1 ? .one(values[0]) : .any(values) }
    }

    private static let namespace = "https://aws.amazon.com/"
    private static let mostTags = 50

    package init() {}

    /// Reads the claims of an ID token.
    /// - Parameter takesSeveralValues: whether a tag may have more than one value; AWS allows one.
    init(claims: JSONObject, takesSeveralValues: Bool = false) throws(WebIdentityError) {
        // A fast check first, because most tokens have no claim for AWS.
        guard claims.containsName(startingWith: Self.namespace) else { return }
        try readTags(claims, takesSeveralValues)
        if let claim = claims[Self.namespace + "source_identity"] {
            guard let name = claim.stringValue, Self.isName(name), !name.lowercased().hasPrefix("aws:") else {
                throw .malformedSessionClaim("The source identity claim is invalid.")
            }
            sourceIdentity = name
        }
        roles = try Self.roles(claims[Self.namespace + "roles"])
    }

    /// Returns the role ARNs in a claim: a string with semicolons as separators, or an array. In an array, other values and strings that
    /// are not role ARNs are ignored. Null counts as absent. (The messages are from public reports of the real service.)
    private static func roles(_ claim: JSONValue?) throws(WebIdentityError) -> [String]? {
        let texts: [String]
        switch claim {
        case nil, .null: return nil
        case .string(let text): texts = text.split(separator: ";").map(String.init)
        case .array(let values): texts = values.compactMap(\.stringValue)
        default: throw .malformedSessionClaim("The roles claim is not in a supported format")
        }
        let roles = texts.map(\.withoutSpaceAround).filter(\.isRoleARN)
        guard !roles.isEmpty else { throw .malformedSessionClaim("The roles claim contains no valid role ARNs") }
        return roles
    }

    /// Reads the tags, which are nested in one claim, or flattened into one claim each.
    private mutating func readTags(_ claims: JSONObject, _ takesSeveralValues: Bool) throws(WebIdentityError) {
        let format = WebIdentityError.malformedSessionClaim("principal_tags passed in claim is not in correct format.")
        if let nested = claims[Self.namespace + "tags"] {
            guard let nested = nested.objectValue else { throw format }
            if let principal = nested["principal_tags"] {
                guard let members = principal.objectValue else { throw format }
                for (key, value) in members.members {
                    guard let values = value.arrayValue, values.count == 1 || takesSeveralValues && !values.isEmpty else { throw format }
                    let texts = values.compactMap(\.stringValue)
                    guard texts.count == values.count else { throw format }
                    try add(Tag(key: key, values: texts))
                }
            }
            transitiveTagKeys += try Self.keys(nested["transitive_tag_keys"])
        }
        let flat = Self.namespace + "tags/principal_tags/"
        for (name, value) in claims.members where name.hasPrefix(flat) {
            guard let text = value.stringValue else { throw format }
            try add(Tag(key: String(name.dropFirst(flat.count)), values: [text]))
        }
        transitiveTagKeys += try Self.keys(claims[Self.namespace + "tags/transitive_tag_keys"])
        try checkTransitiveTagKeys()
    }

    func checkTransitiveTagKeys() throws(WebIdentityError) {
        for key in transitiveTagKeys where !tags.contains(where: { $0.key.lowercased() == key.lowercased() }) {
            throw .malformedSessionClaim("Transitive tag keys must name tags of the session.")
        }
    }

    private static func keys(_ claim: JSONValue?) throws(WebIdentityError) -> [String] {
        guard let claim else { return [] }
        let texts = claim.arrayValue?.compactMap(\.stringValue)
        guard let texts, texts.count == claim.arrayValue?.count else {
            throw .malformedSessionClaim("transitive_tag_keys passed in claim is not in correct format.")
        }
        return texts
    }

    mutating func add(_ tag: Tag) throws(WebIdentityError) {
        guard (1...128).contains(tag.key.unicodeScalars.count),
            tag.values.allSatisfy({ $0.unicodeScalars.count <= 256 && $0.unicodeScalars.allSatisfy(Self.isTagCharacter) }),
            !tag.key.lowercased().hasPrefix("aws:"), tags.count < Self.mostTags,
            tag.key.unicodeScalars.allSatisfy(Self.isTagCharacter),
            !tags.contains(where: { $0.key.lowercased() == tag.key.lowercased() })
        else { throw .malformedSessionClaim("The session tag claim is invalid.") }
        tags.append(tag)
    }

    /// Returns whether a character is allowed in keys and values: `[\p{L}\p{Z}\p{N}_.:/=+\-@]`. (STS API Reference, "Tag".)
    private static func isTagCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .spaceSeparator,
            .lineSeparator, .paragraphSeparator, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: "_.:/=+-@".unicodeScalars.contains(scalar)
        }
    }

    /// Returns whether a text is a valid session name or source identity: `[\w+=,.@-]{2,64}`.
    static func isName(_ text: String) -> Bool { (2...64).contains(text.utf8.count) && text.utf8.allSatisfy(isNameByte) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "_+=,.@-".utf8.contains(byte)
        }
    }
}

extension String {
    fileprivate var withoutSpaceAround: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[first...last])
    }

    /// Whether the text is `arn:<partition>:iam::<12 digits>:role/<path and name>`, without wildcards. (IAM User Guide, "IAM ARNs".)
    fileprivate var isRoleARN: Bool {
        let fields = split(separator: ":", omittingEmptySubsequences: false)
        return fields.count == 6 && fields[0] == "arn" && fields[1].hasPrefix("aws") && fields[2] == "iam" && fields[3].isEmpty
            && fields[4].utf8.count == 12 && fields[4].utf8.allSatisfy { (0x30...0x39).contains($0) } && fields[5].hasPrefix("role/")
            && !fields[5].hasSuffix("/") && !fields[5].contains { "*?;".contains($0) }
    }
}
