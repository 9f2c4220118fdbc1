package import Exchange
package import Federation
import HTTPTypes
package import Logging
import NIOCore
import RequestSigning
import WireFormats

/// The Security Token Service over the AWS Query protocol.
/// (STS API Reference, version 2011-06-15; XML namespace `https://sts.amazonaws.com/doc/2011-06-15/`.)
package struct STSFace: Sendable {
    /// A SAML assertion has at most 100,000 characters, a session policy 2,048; everything else is small.
    private static let bodyLimit = 256 << 10

    let authenticator: Authenticator
    var tokens: SessionTokens { authenticator.sessions }

    private let logger: Logger

    /// - Parameter logger: hears of failures that are nobody's mistake but ours.
    package init(authenticator: Authenticator, logger: Logger) {
        self.authenticator = authenticator
        self.logger = logger
    }

    /// Answers one call.
    /// - Parameter form: the form, where the front door has read it already.
    package func respond(to exchange: Exchange, form: QueryForm?) async -> Response {
        exchange.note(face: "sts")
        do {
            if let form { return try await perform(exchange, form) }
            return try await perform(exchange, QueryForm(try await exchange.collectBody(upTo: Self.bodyLimit)))
        } catch let error as QueryError {
            return refuse(error, exchange)
        } catch is BodyTooLarge {
            return refuse(QueryError("RequestEntityTooLarge", .contentTooLarge, "Request body is too large."), exchange)
        } catch {
            logger.error("A call to STS failed", metadata: ["error": "\(error)", "request": "\(exchange.id.text)"])
            return refuse(
                QueryError("InternalFailure", .internalServerError, "The request processing has failed because of an unknown error."),
                exchange)
        }
    }

    private func perform(_ exchange: Exchange, _ body: QueryForm) async throws -> Response {
        guard exchange.method == .post || exchange.method == .get else {
            throw QueryError("InvalidAction", .badRequest, "Only GET and POST are allowed.")
        }
        // Parameters travel in the query or in the form; some SDKs mix both.
        guard var fields = FormFields(parsing: exchange.query), let form = body.fields else {
            throw QueryError("MalformedQueryString", .notFound, "The query string contains a syntax error.")
        }
        fields.fields += form.fields
        let operation = try STSOperation(fields)
        exchange.note(operation: operation.name)
        switch operation {
        case .assumeRoleWithWebIdentity(let input):
            let result = try await assumeRoleWithWebIdentity(input, exchange)
            return render("AssumeRoleWithWebIdentity", exchange, result.encode)
        case .getCallerIdentity:
            let caller = try authenticate(exchange, body.bytes)
            return render("GetCallerIdentity", exchange, CallerIdentity(caller).encode)
        }
    }

    /// Every operation but the federated ones must be signed.
    private func authenticate(_ exchange: Exchange, _ body: [UInt8]) throws(QueryError) -> Caller {
        let authenticated: Authenticated?
        do {
            authenticated = try authenticator.authenticate(exchange.signable, service: "sts", body: body)
        } catch {
            throw QueryError(error)
        }
        guard let authenticated else {
            throw QueryError("MissingAuthenticationToken", .forbidden, "Request is missing Authentication Token")
        }
        if let arn = authenticated.caller.arn { exchange.note(caller: arn) }
        return authenticated.caller
    }

    private func render(_ operation: String, _ exchange: Exchange, _ result: (inout XMLWriter) -> Void) -> Response {
        var xml = XMLWriter()
        xml.element(operation + "Response", namespace: STSOperation.namespace) { xml in
            xml.element(operation + "Result") { result(&$0) }
            xml.element("ResponseMetadata") { $0.element("RequestId", exchange.id.uuid) }
        }
        return Response(
            status: .ok, contentType: "text/xml", headers: [.amazonRequestID: exchange.id.uuid], body: xml.bytes)
    }

    private func refuse(_ error: QueryError, _ exchange: Exchange) -> Response {
        exchange.note(errorCode: error.code)
        return error.response(namespace: STSOperation.namespace, requestID: exchange.id.uuid)
    }
}

/// What `GetCallerIdentity` answers. Every caller with credentials may ask, whatever a policy says.
struct CallerIdentity {
    var userID: String
    var account: String
    var arn: String

    init(_ caller: Caller) {
        userID = caller.userID
        account = caller.account ?? ""
        arn = caller.arn ?? ""
    }

    func encode(into xml: inout XMLWriter) {
        xml.element("Arn", arn)
        xml.element("UserId", userID)
        xml.element("Account", account)
    }
}
