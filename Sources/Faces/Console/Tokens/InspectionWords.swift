import ControlDocuments
import WireFormats

/// The words for kinds, members and times of an inspection.
enum InspectionWords {
    /// What a text is, as a heading.
    static func name(of inspection: Document<InspectionMembers>) -> String {
        let decoded = inspection.decoded
        switch inspection.kind {
        case "jwt":
            if decoded["header"]?["typ"]?.stringValue == "at+jwt" || decoded["claims"]?["typ"]?.stringValue == "Bearer" {
                return "A JSON Web Token: an access token"
            }
            return decoded["claims"]?["aud"] == nil ? "A JSON Web Token" : "A JSON Web Token: an ID token"
        case "mobile_token": return "A token of the mobile cloud"
        case "saml_response": return "A SAML response"
        case "saml_assertion": return "A SAML assertion"
        case "opaque_token": return decoded["type"]?.stringValue == "refresh token" ? "A refresh token" : "An access token"
        case "authorization_code": return "An authorization code"
        case "session_token": return "A session token of temporary credentials"
        case "signed_request": return "A signed request of Facebook"
        case "presigned_url": return "A presigned URL"
        case "post_policy": return "The policy of an upload form"
        case "policy": return "A policy document"
        case "json": return "A JSON document"
        case "xml": return "An XML document"
        case "url": return "A URL"
        case "authorization_message": return "An encoded authorization message"
        default: return "Not recognized"
        }
    }

    /// The label of a member with a value. The ARN of a root user can be the number of its account.
    static func label(_ name: String, of value: JSONValue) -> String {
        let text = value.stringValue ?? ""
        return name == "arn" && !text.isEmpty && text.allSatisfy(\.isNumber) ? "Account" : label(name)
    }

    /// The label of a member.
    static func label(_ name: String) -> String {
        switch name {
        case "iat": "Issued"
        case "nbf": "Valid from"
        case "auth_time": "Logged in"
        case "exp": "Expires"
        case "provider": "Identity provider"
        case "person": "Person"
        case "subject": "Subject"
        case "nameID": "Name ID"
        case "format": "Format"
        case "holder": "Holder"
        case "sessionName": "Session name"
        case "arn": "ARN"
        case "backend": "Backend"
        case "user": "User"
        case "method": "Issued for"
        case "encoding": "Encoding"
        case "id": "Assertion ID"
        case "issuer": "Issuer"
        case "issued": "Issued"
        case "audiences": "Audience"
        case "recipients": "Recipient"
        default: name
        }
    }

    /// The name of a signature.
    static func signature(_ kind: String) -> String {
        switch kind {
        case "v4": "Signature Version 4"
        case "v2": "Signature Version 2"
        case "oss-v1": "OSS, Version 1"
        case "oss-v2": "OSS, Version 2"
        case "oss-v4": "OSS, Version 4"
        default: kind
        }
    }

    /// How far a time is from now, such as `in 59 min`.
    static func distance(milliseconds: Int64) -> String {
        let seconds = milliseconds.magnitude / 1000
        let text =
            switch seconds {
            case 0..<60: "\(seconds) s"
            case 60..<5400: "\((seconds + 30) / 60) min"
            case 5400..<172_800: "\((seconds + 1800) / 3600) h"
            default: "\((seconds + 43_200) / 86_400) days"
            }
        return milliseconds < 0 ? "\(text) ago" : "in \(text)"
    }
}
