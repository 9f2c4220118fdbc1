import Federation
import HTTPTypes
import WireFormats

/// `SubjectMode` and `Scope` of `GetWebIdentityToken`: the identity in the claim `sub`, and the claim `scope`.
/// (STS API Reference, "GetWebIdentityToken".)
struct TokenSubject {
    /// The identity that the token names.
    enum Mode: String, CaseIterable {
        case awsIdentity = "AWSIdentity"
        /// The person or workload in the context of the session.
        case originIdentity = "OriginIdentity"
    }

    let mode: Mode
    /// As passed.
    let scope: String?
    var scopes: [String] { scope?.split(separator: " ").map(String.init) ?? [] }

    init(_ parameters: inout QueryParameters) {
        scope = parameters.text("Scope", length: 1...256, pattern: .scope)
        mode = parameters.choice("SubjectMode", of: Mode.allCases.map(\.rawValue)).flatMap(Mode.init) ?? .awsIdentity
    }

    /// Rejects a scope in a call that cannot have one. (Virga's wordings.)
    func check(audiences: [String]) throws(ServiceError) {
        guard scope != nil else { return }
        guard mode == .originIdentity else { throw .validation("Scope can be specified only when SubjectMode is OriginIdentity.") }
        guard audiences.count == 1 else { throw .validation("Scope can be specified only with exactly one audience.") }
        guard Set(scopes).count == scopes.count else { throw .validation("Scope must not repeat a value.") }
    }

    /// Returns the claim `sub` of a caller's token. (Virga's wordings.)
    func name(of caller: Caller) throws(ServiceError) -> String {
        guard mode == .originIdentity else { return caller.principalARN }
        let claims = caller.session?.credentials.claims ?? []
        let subject = claims.first { $0.key == OriginIdentity.subject }?.values.first ?? ""
        let hasIssuer = claims.contains { [OriginIdentity.issuer, OriginIdentity.providerARN].contains($0.key) }
        guard hasIssuer, subject.contains(where: { $0 != " " }) else {
            throw .validation("The context of the session has no origin identity, which SubjectMode OriginIdentity needs.")
        }
        guard subject.prefix(4).lowercased() != "arn:", subject.first != " ", subject.last != " ",
            subject.unicodeScalars.allSatisfy({ $0 == " " || !Self.excluded.contains($0.properties.generalCategory) })
        else {
            throw ServiceError("AccessDenied", .forbidden, "The origin identity of the session cannot be the subject of a token.")
        }
        return subject
    }

    /// Control, format and separator characters.
    private static let excluded: Set<Unicode.GeneralCategory> = [
        .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator,
    ]
}

extension QueryParameters.Pattern {
    /// Scopes of OAuth without commas, separated by single spaces.
    fileprivate static let scope = Self(
        text: "[\\x21\\x23-\\x2B\\x2D-\\x5B\\x5D-\\x7E]+( [\\x21\\x23-\\x2B\\x2D-\\x5B\\x5D-\\x7E]+)*",
        accepts: { (0x20...0x7E).contains($0.value) && !"\",\\".unicodeScalars.contains($0) },
        frame: { !$0.hasPrefix(" ") && !$0.hasSuffix(" ") && !$0.contains("  ") })
}
