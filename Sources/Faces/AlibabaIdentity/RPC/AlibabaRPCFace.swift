package import Calls
import Cloud
package import Federation
import HTTPTypes
import NIOCore
import WireFormats

/// The RPC services of Alibaba Cloud: STS, RAM and IMS, which the version of their API distinguishes.
/// (Alibaba Cloud OpenAPI, "Request syntax and signature method V3", "RPC mechanism".)
package struct AlibabaRPCFace: Sendable {
    let authenticator: Authenticator
    let issuers: ForeignIssuers
    /// The cached metadata of SAML providers.
    let samlMetadata = SAMLMetadataCache()

    /// Creates the face.
    /// - Parameter issuers: finds the keys of external identity providers.
    package init(authenticator: Authenticator, issuers: ForeignIssuers) {
        self.authenticator = authenticator
        self.issuers = issuers
    }

    /// The maximum size of a body in bytes. A SAML assertion has at most 100,000 characters; everything else is small.
    private static let bodyLimit = 256 << 10

    /// Every service, by the version of its API.
    private static let services: [String: RPCService] = ["2015-04-01": .sts, "2015-05-01": .ram, "2019-08-15": .ims]

    /// Responds to one call, also with error responses.
    /// - Parameter form: the form, if the front door has already read it.
    package func respond(to call: Call, form: QueryForm? = nil) async -> Response {
        call.note(face: "alibaba-rpc")
        if call.method == .options { return Self.preflight }
        var rendering = Rendering(call: call)
        do {
            let form = if let form { form } else { QueryForm(try await call.collectBody(upTo: Self.bodyLimit)) }
            let request = try RPCRequest(call, form)
            rendering.format = request.format
            if let action = request.action { call.note(operation: action) }
            guard let service = request.version.flatMap({ Self.services[$0] }) else { throw request.versionError }
            rendering.product = service.product
            call.note(face: service.name)
            guard let action = request.action else { throw RPCError.missing("Action") }
            guard let operation = service.operations[action] else { throw RPCError.noSuchAction }
            let call = try authenticate(request, call, form, action, operation, of: service)
            if call.cloud.faults.isArmed { try await applyFaults(call, of: service) }
            return rendering.answer(try await operation.perform(call), to: action)
        } catch let error as RPCError {
            if let cause = error.cause { call.note(failure: cause.error) }
            return rendering.refusal(error)
        } catch let fault as InjectedFault {
            return rendering.refusal(RPCError(fault))
        } catch is BodyTooLarge {
            return rendering.refusal(RPCError("RequestEntityTooLarge", .contentTooLarge, "The request body is too large."))
        } catch is ContentCutOff {
            return rendering.refusal(RPCError("IncompleteBody", .badRequest, "The request body is incomplete."))
        } catch {
            let error = RPCError(failure: error)
            if let cause = error.cause { call.note(failure: cause.error) }
            return rendering.refusal(error)
        }
    }

    /// Responds to a CORS preflight request. Pages of every origin may make calls. (The gateway of the OpenAPI sends these headers.)
    private static var preflight: Response {
        Response(
            status: .ok,
            headers: [
                .accessControlAllowOrigin: "*", .accessControlAllowMethods: "POST, GET, OPTIONS, PUT, DELETE",
                .accessControlAllowHeaders:
                    "X-Requested-With, X-Sequence, _aop_secret, _aop_signature, x-acs-action, x-acs-version, x-acs-date, Content-Type",
                .accessControlMaxAge: "172800",
            ])
    }

    private func authenticate(
        _ request: RPCRequest, _ call: Call, _ form: QueryForm, _ action: String, _ operation: RPCOperation, of service: RPCService
    ) throws(RPCError) -> RPCCall {
        var caller = Caller.anonymous
        if operation.isSigned {
            let authenticated: Authenticated?
            do {
                authenticated = try authenticator.authenticate(
                    call.signable, parameters: request.parameters, body: form.bytes, service: service.name)
            } catch {
                throw RPCError(error)
            }
            guard let authenticated else { throw .missing("AccessKeyId") }
            if let refusal = call.refusal(ofKey: authenticated.accessKey, by: authenticator, .call) {
                throw RPCError("Forbidden", .forbidden, refusal)
            }
            caller = authenticated.caller
            if let arn = caller.arn { call.note(caller: arn) }
        }
        return RPCCall(face: self, http: call, action: action, parameters: request.parameters, caller: caller)
    }

    /// Applies errors on demand to these services. The signature is already verified, and the call has had no effect yet.
    private func applyFaults(_ call: RPCCall, of service: RPCService) async throws {
        var caller = call.caller.arn
        if caller == nil, call.cloud.faults.needCaller { caller = await service.identify?(call) }
        if let caller { call.http.note(caller: caller) }
        let resources = call.parameters.fields.filter { $0.value.hasPrefix("acs:") }.map(\.value)
        try await call.http.applyFaults(
            FaultableCall(service: service.name, action: call.action, caller: caller, resources: resources))
    }

    /// The format of the response, as far as the request specifies it.
    private struct Rendering {
        let call: Call
        var format = RPCFormat.json
        var product = "Openapi"
        /// The request ID, a UUID in uppercase.
        var requestID: String { call.id.uuid.uppercased() }

        func answer(_ result: RPCValue, to action: String) -> Response {
            var members: [RPCValue.Member] = [.init(name: "RequestId", value: .text(requestID))]
            if case .object(let rest) = result { members += rest }
            return respond(.ok, .object(members), root: action + "Response")
        }

        func refusal(_ error: RPCError) -> Response {
            call.note(errorCode: error.code, message: error.message)
            let document = error.document(requestID: requestID, host: call.host, product: product)
            return respond(error.status, document, root: "Error")
        }

        private func respond(_ status: HTTPResponse.Status, _ value: RPCValue, root: String) -> Response {
            Response(
                status: status, contentType: format.contentType,
                headers: [.accessControlAllowOrigin: "*", .accessControlExposeHeaders: "*", .acsRequestID: requestID],
                body: format.document(value, root: root))
        }
    }
}

/// The parts of a call that are read before authentication.
struct RPCRequest {
    let parameters: FormFields
    let format: RPCFormat
    /// The action, from the parameters or from a header of signature version 3.
    let action: String?
    let version: String?

    init(_ call: Call, _ form: QueryForm) throws(RPCError) {
        guard call.method == .post || call.method == .get else {
            throw RPCError("UnsupportedHTTPMethod", .badRequest, "This http method is not supported.")
        }
        guard var fields = call.queryFields else {
            throw RPCError("InvalidParameter", .badRequest, "The query string is malformed.")
        }
        // Parameters are in the query or in the form; some SDKs mix both.
        let isForm = call.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
        if isForm {
            guard let inForm = form.fields else { throw RPCError("InvalidParameter", .badRequest, "The form is malformed.") }
            fields.fields += inForm.fields
        }
        parameters = fields
        action = fields.value("Action") ?? call.headers[.acsAction]
        version = fields.value("Version") ?? call.headers[.acsVersion]
        format = try Self.format(fields, call)
    }

    /// Returns the format of the response: by default XML, and JSON for calls with signature version 3 unless they accept only XML.
    /// (Alibaba Cloud OpenAPI, "Common parameters".)
    private static func format(_ fields: FormFields, _ call: Call) throws(RPCError) -> RPCFormat {
        switch fields.value("Format")?.lowercased() {
        case "json": return .json
        case "xml": return .xml
        case nil:
            guard call.headers[.acsAction] != nil else { return .xml }
            let accepted = call.headers[.accept]?.lowercased() ?? ""
            return accepted.hasPrefix("text/xml") || accepted.hasPrefix("application/xml") ? .xml : .json
        default: throw RPCError("InvalidParameter.Format", .badRequest, "The specified parameter Format is not valid.")
        }
    }

    /// The error for a missing version or one that no service has.
    var versionError: RPCError {
        version == nil ? .missing("Version") : RPCError("InvalidVersion", .badRequest, "Specified parameter Version is not valid.")
    }
}

extension HTTPField.Name {
    fileprivate static let acsAction = HTTPField.Name(literal: "x-acs-action")
    fileprivate static let acsVersion = HTTPField.Name(literal: "x-acs-version")
    fileprivate static let acsRequestID = HTTPField.Name(literal: "x-acs-request-id")
}
