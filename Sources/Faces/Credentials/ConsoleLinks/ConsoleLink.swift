import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Policy
import Tokens
import WireFormats

/// The federation endpoint of the AWS console: links with which people sign in to it as a session. Here, they open Virga's console.
/// (IAM User Guide, "Enable custom identity broker access to the AWS console"; the messages are Virga's.)
struct ConsoleLink: Sendable {
    let authenticator: Authenticator

    /// The lifetime of a sign-in token in seconds.
    private static let lifetime: Int64 = 900
    private static let context = Array("console link".utf8)
    /// The possible durations of a session in the console, in seconds.
    private static let durations = 900...43_200

    /// A refusal, and what only the journal has.
    private struct Refusal: Error {
        let message: String
        var cause: String?
        var status = HTTPResponse.Status.badRequest
    }

    func respond(to call: CredentialCall) async -> Response {
        call.http.note(face: "signin")
        do {
            guard call.http.isAtKnownHost else {
                throw Refusal(message: "\(call.http.host) is not a name of this server.", status: .forbidden)
            }
            let fields = try await Self.fields(of: call)
            let action = fields.first("Action") ?? ""
            switch action {
            case "getSigninToken":
                call.http.note(operation: "GetSigninToken")
                return try token(for: fields, call)
            case "login":
                call.http.note(operation: "Login")
                return try login(fields, call)
            default: throw Refusal(message: "The parameter Action must be getSigninToken or login.")
            }
        } catch let refusal as Refusal {
            call.http.note(errorCode: "InvalidRequest", message: refusal.message)
            if let cause = refusal.cause { call.http.note(cause: cause) }
            return Response(
                status: refusal.status, contentType: "text/plain; charset=utf-8", headers: .unstored, text: refusal.message + "\n")
        } catch {
            call.http.note(failure: error)
            return Response(
                status: .internalServerError, contentType: "text/plain; charset=utf-8", headers: .unstored, text: "Internal server error\n")
        }
    }

    private static func fields(of call: CredentialCall) async throws -> FormFields {
        var fields = call.http.queryFields
        if call.http.method == .post {
            let body: [UInt8]
            do { body = try await call.http.collectBody(upTo: 1 << 16) } catch is BodyTooLarge {
                throw Refusal(message: "The parameters are longer than 64 KiB.", status: .contentTooLarge)
            } catch is ContentCutOff {
                throw Refusal(message: "The body ends early.")
            }
            guard let form = FormFields(parsing: body) else { throw Refusal(message: "The parameters are malformed.") }
            fields?.fields += form.fields
        }
        guard let fields else { throw Refusal(message: "The parameters are malformed.") }
        return fields
    }

    /// `Action=getSigninToken`: exchanges temporary credentials for a token.
    private func token(for fields: FormFields, _ call: CredentialCall) throws -> Response {
        guard call.http.source == .program else { throw Refusal(message: "Browsers get no sign-in tokens.") }
        guard let text = fields.first("Session"), let json = (try? JSONValue(parsing: Array(text.utf8)))?.objectValue,
            let key = json["sessionId"]?.stringValue, let secret = json["sessionKey"]?.stringValue,
            let token = json["sessionToken"]?.stringValue
        else { throw Refusal(message: "The parameter Session must be JSON with sessionId, sessionKey and sessionToken.") }
        let holder: (caller: Caller, secret: String)
        do throws(AuthenticationError) {
            holder = try authenticator.holder(of: key, sessionToken: token, at: .aws)
        } catch {
            throw Refusal(message: "The credentials in Session are not valid.", cause: "\(error)")
        }
        guard constantTimeEquals(holder.secret, secret), let credentials = holder.caller.session?.credentials else {
            throw Refusal(message: "The credentials in Session are not valid.", cause: "The secret is wrong.")
        }
        guard let name = credentials.holder.sessionARNs.first else {
            throw Refusal(message: "The credentials in Session must be those of a role or a federated user.")
        }
        call.http.note(caller: name)
        if let text = fields.first("SessionDuration") {
            guard let duration = Int(digits: text), Self.durations.contains(duration) else {
                throw Refusal(message: "SessionDuration must be a number of seconds from 900 to 43200.")
            }
            guard case .role = credentials.holder, !credentials.isChained else {
                throw Refusal(message: "SessionDuration is not for credentials of GetFederationToken or of role chaining.")
            }
        }
        let record: JSONValue = [.string(key), .integer(call.cloud.clock.now.seconds)]
        let sealed = try SealedRecord.sealedBytes(record.serializedBytes(), key: call.cloud.sealingKey, context: Self.context)
        return .json(["SigninToken": .string(sealed.base64url)], headers: .unstored)
    }

    /// `Action=login`: opens the console as the session, as long as that exists.
    private func login(_ fields: FormFields, _ call: CredentialCall) throws -> Response {
        guard let destination = fields.first("Destination"), destination.hasPrefix("https://") else {
            throw Refusal(message: "The parameter Destination must be a URL of the console.")
        }
        guard let bytes = fields.first("SigninToken").flatMap({ [UInt8](base64url: $0) }),
            let record = try? SealedRecord.open(bytes, key: call.cloud.sealingKey, context: Self.context),
            let values = (try? JSONValue(parsing: record))?.arrayValue, values.count == 2, let key = values[0].stringValue,
            let issued = values[1].integerValue
        else { throw Refusal(message: "The sign-in token is not valid.") }
        let start = Timestamp(seconds: issued)
        guard !call.cloud.clock.hasExpired(start + .seconds(Self.lifetime), issuedAt: start) else {
            throw Refusal(message: "The sign-in token has expired. It is valid for 15 minutes.")
        }
        guard let caller = authenticator.caller(ofLiveSession: key) else {
            throw Refusal(message: "The session of the sign-in token has ended.")
        }
        if let name = caller.arn { call.http.note(caller: name) }
        var headers = HTTPFields.unstored
        headers[.location] = "/_virga/ui/store?as=\(percentEncoded(key))"
        return Response(status: .found, headers: headers)
    }
}
