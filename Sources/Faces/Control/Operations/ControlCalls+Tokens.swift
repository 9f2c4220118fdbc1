import Cloud
import ControlDocuments
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

extension ControlCall {
    /// The calls that issue tokens without a login, and those about issuers' keys.
    static let tokens: [ControlCall] = [
        ControlCall(
            method: .post, template: "/tokens", operation: .tokens,
            summary: "Issues a valid or invalid token or SAML response without a login.",
            body: .json(["oneOf": [tokenOrder, assertionOrder]]),
            answers: [200: .json(["oneOf": [Document<IssuedTokenMembers>.schema, Document<IssuedAssertionMembers>.schema]])],
            refusals: [404]),
        ControlCall(
            method: .get, template: "/credentials", operation: .credentials,
            summary: "Lists the doors at which clients find credentials: instances, tasks, pods and jobs.",
            answers: [200: .document(DoorListMembers.self)]),
        ControlCall(
            method: .post, template: "/credentials", operation: .credentials,
            summary: "Returns how a client finds the credentials of an instance, a task, a pod, a job, a certificate, a login or a person.",
            body: .json(
                Schemas.object(
                    [
                        "kind": sourceKind, "name": Schemas.text, "audience": Schemas.text,
                        "lifetime": ["type": "integer", "minimum": 600, "maximum": .integer(Int64(ServiceAccountToken.usualLifetime))],
                    ], required: ["kind"])),
            answers: [200: .document(CredentialOfferMembers.self)], refusals: [404]),
        ControlCall(
            method: .post, template: "/certificates", operation: .certificates,
            summary: "Issues a certificate for a client of IAM Roles Anywhere, with a new key.",
            body: .json(
                Schemas.object(
                    [
                        "trustAnchor": Schemas.text, "subject": ["type": "object", "additionalProperties": Schemas.text],
                        "dnsNames": Schemas.list(Schemas.text), "uris": Schemas.list(Schemas.text),
                        "key": Schemas.choice(CertificateOrder.KeyKind.allCases.map(\.rawValue)), "lifetime": lifetime,
                    ], required: ["subject"])),
            answers: [200: .document(IssuedCertificateMembers.self)], refusals: [404]),
        ControlCall(
            method: .post, template: "/certificates/revoke", operation: .revokeCertificate,
            summary: "Revokes a certificate, so that a trust anchor of IAM Roles Anywhere refuses it.",
            body: .json(Schemas.object(["trustAnchor": Schemas.text, "serial": Schemas.text], required: ["serial"])),
            answers: [200: .document(RevokedCertificatesMembers.self)],
            refusals: [404]),
        ControlCall(
            method: .get, template: "/keys", operation: .keys, summary: "Lists the keys that identity providers publish.",
            query: ["provider": Schemas.text],
            answers: [200: .document(KeyListMembers.self)], refusals: [404]),
        ControlCall(
            method: .post, template: "/keys/rotate", operation: .rotateKeys,
            summary: "Replaces the keys that an identity provider signs with.",
            body: .json(
                Schemas.object(
                    [
                        "provider": Schemas.text, "algorithm": algorithm, "overlap": Schemas.duration,
                        "publish": Schemas.choice(["before"]),
                    ], required: ["provider"])),
            answers: [200: .document(RotatedKeysMembers.self)], refusals: [404]),
    ]

    private static let algorithm = Schemas.choice(SignatureAlgorithm.published.map(\.rawValue))

    private static let sourceKind = Schemas.choice(CredentialSources.Kind.allCases.map(\.rawValue))

    private static let tokenOrder = Schemas.object(
        [
            "provider": Schemas.text, "user": Schemas.text, "client": Schemas.text,
            "type": Schemas.choice(TokenOrder.Kind.allCases.map(\.rawValue)), "format": Schemas.choice(["jwt"]),
            "issuer": Schemas.text,
            "claims": Schemas.anyObject, "missingClaims": Schemas.list(Schemas.text), "lifetime": lifetime, "scope": Schemas.text,
            "nonce": Schemas.text, "redirect_uri": Schemas.text, "code_challenge": Schemas.text,
            "code_challenge_method": Schemas.choice(["S256", "plain"]), "algorithm": algorithm, "header": Schemas.anyObject,
            "fault": Schemas.choice(TokenFault.allCases.map(\.rawValue)),
        ], required: ["provider", "user"])

    private static let lifetime: JSONValue = ["type": "integer", "minimum": 1, "maximum": 315_360_000]

    private static let assertionOrder = Schemas.object(
        [
            "provider": Schemas.text, "user": Schemas.text, "serviceProvider": Schemas.text, "claims": Schemas.anyObject,
            "attributes": ["type": "object", "additionalProperties": ["anyOf": [Schemas.text, Schemas.list(Schemas.text)]]],
            "lifetime": lifetime, "fault": Schemas.choice(AssertionDefect.allCases.map(\.rawValue)),
        ], required: ["provider", "user", "serviceProvider"])
}
