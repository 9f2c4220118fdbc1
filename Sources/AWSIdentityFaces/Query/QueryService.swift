import Calls
import Cloud
import Federation
import HTTPTypes
import WireFormats

/// A service of the AWS Query protocol: the processing that all such services share.
/// (Smithy, "AWS query protocol".)
struct QueryService: Sendable {
    /// The service's name in the scope of signatures and in the journal.
    let name: String
    /// The only accepted `Version`.
    let version: String
    /// The namespace of responses and errors.
    let namespace: String
    /// The maximum size of a call's body in bytes.
    let bodyLimit: Int
    /// Whether calls may be signed with Version 2.
    var takesVersion2 = false
    /// The elements that are not strings in JSON responses; `nil` for a service that responds only in XML.
    var membersInJSON: QueryJSON?
    /// The parameters that Virga does not support, by action. A call with one of them is refused.
    var unsupported: [String: [String]] = [:]
    let authenticator: Authenticator
    /// Returns the caller of an unsigned call, from its token or assertion. It is called only if an error on demand is limited to a caller.
    var identify: (@Sendable (QueryCall) async -> String?)?

    /// Writes the result of an operation inside `<…Result>`. Operations whose response has only metadata return `nil` instead.
    typealias Result = (inout XMLWriter) -> Void

    /// Responds to one call.
    /// - Parameters:
    ///   - form: the form, if the front door has already read it.
    ///   - perform: performs the call.
    func respond(
        to call: Call, form: QueryForm?, perform: (QueryCall) async throws -> Result?
    ) async -> Response {
        call.note(face: name)
        do {
            let form =
                if let form { form } else { QueryForm(try await call.collectBody(upTo: bodyLimit)) }
            let query = try queryCall(call, form)
            if call.cloud.faults.isArmed { try await applyFaults(query) }
            return render(query.action, call, try await perform(query))
        } catch {
            return refuse(error, call)
        }
    }

    /// Returns the response to a call that failed. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func refuse(_ error: any Error, _ call: Call) -> Response {
        do {
            throw error
        } catch let error as QueryError {
            return refuse(error, call)
        } catch let fault as InjectedFault {
            let (status, message) = fault.entry(in: .query)
            return refuse(QueryError(fault.failure.code, status, message), call)
        } catch is BodyTooLarge {
            return refuse(QueryError("RequestEntityTooLarge", .contentTooLarge, "Request body is too large."), call)
        } catch is ContentCutOff {
            return refuse(QueryError("MalformedInput", .badRequest, "The request body ended before its length."), call)
        } catch let error where FullStorage.isCause(of: error) {
            return refuse(QueryError("LimitExceeded", .conflict, FullStorage.message(for: error)), call)
        } catch {
            call.note(failure: error)
            return refuse(
                QueryError("InternalFailure", .internalServerError, "The request processing has failed because of an unknown error."),
                call)
        }
    }

    private func queryCall(_ call: Call, _ form: QueryForm) throws(QueryError) -> QueryCall {
        guard call.method == .post || call.method == .get else {
            throw QueryError("InvalidAction", .badRequest, "Only GET and POST are allowed.")
        }
        // Parameters are in the query or in the form; some SDKs mix both.
        guard let inQuery = call.queryFields, var fields = form.fields else {
            throw QueryError("MalformedQueryString", .notFound, "The query string contains a syntax error.")
        }
        if !inQuery.fields.isEmpty { fields.fields = inQuery.fields + fields.fields }
        guard let action = fields.first("Action"), !action.isEmpty else {
            throw QueryError("MissingAction", .badRequest, "Request is missing an Action")
        }
        let call = QueryCall(http: call, action: action, fields: fields, body: form.bytes)
        guard fields.first("Version") == version else { throw unknown(call) }
        if let name = unsupported[action]?.first(where: fields.containsParameter) {
            throw QueryError("NotImplemented", .notImplemented, "\(action) does not support \(name).")
        }
        return call
    }

    /// Returns the error for an unknown action.
    func unknown(_ call: QueryCall) -> QueryError {
        QueryError(
            "InvalidAction", .badRequest,
            "Could not find operation \(call.action) for version \(call.fields.first("Version") ?? "NO_VERSION_SPECIFIED")")
    }

    /// Authenticates the call and returns its caller.
    func authenticate(_ call: QueryCall) throws(QueryError) -> Caller { try authenticated(call).caller }

    /// Authenticates the call. Returns its caller, and the region of the signature if it has one.
    func authenticated(_ call: QueryCall) throws(QueryError) -> (caller: Caller, region: String?) {
        guard let signer = try signer(of: call) else {
            throw QueryError.missingToken
        }
        if let arn = signer.caller.arn { call.http.note(caller: arn) }
        return signer
    }

    /// Returns the signer of the call, or `nil` if it is unsigned. Version 2 signs parameters instead of headers; it is tried last.
    func signer(of call: QueryCall) throws(QueryError) -> (caller: Caller, region: String?)? {
        let authenticated: Authenticated?
        do {
            authenticated = try authenticator.authenticate(
                call.http.signable, service: name, body: call.body, sessionToken: call.fields.value("SecurityToken"))
        } catch {
            throw QueryError(error)
        }
        if let authenticated {
            try checkPage(call, authenticated.accessKey)
            try checkRegion(authenticated.region, of: call)
            return (authenticated.caller, authenticated.region)
        }
        guard takesVersion2 else { return nil }
        let caller: Caller?
        do {
            caller = try authenticator.authenticate(call: call.http.signable, parameters: call.fields, service: name)
        } catch {
            throw QueryError(error)
        }
        guard let caller else { return nil }
        if let key = call.fields.value("AWSAccessKeyId") { try checkPage(call, key) }
        return (caller, nil)
    }

    /// Rejects calls that a web page of another origin signs with a well-known key.
    private func checkPage(_ call: QueryCall, _ accessKey: String) throws(QueryError) {
        guard let refusal = call.http.refusal(ofKey: accessKey, by: authenticator, .call) else { return }
        throw QueryError("AccessDenied", .forbidden, refusal)
    }

    private func render(_ operation: String, _ call: Call, _ result: Result?) -> Response {
        var xml = XMLWriter(capacity: 4096)
        let requestID = call.id.uuid
        xml.element(operation + "Response", namespace: namespace) { xml in
            if let result { xml.element(operation + "Result") { result(&$0) } }
            xml.element("ResponseMetadata") { $0.element("RequestId", requestID) }
        }
        let headers: HTTPFields = [.amazonRequestID: requestID]
        if let members = json(for: call), let element = try? XMLElement(parsing: xml.bytes) {
            return .json([element.name: members.value(of: element)], headers: headers)
        }
        return Response(status: .ok, contentType: "text/xml", headers: headers, xml: xml)
    }

    /// Returns how to respond in JSON, if the client accepts it.
    private func json(for call: Call) -> QueryJSON? {
        guard let members = membersInJSON, call.headers.value(of: .accept)?.contains("application/json") == true else { return nil }
        return members
    }

    private func refuse(_ error: QueryError, _ call: Call) -> Response {
        call.note(errorCode: error.code, message: error.message)
        return json(for: call) == nil
            ? error.response(namespace: namespace, requestID: call.id.uuid) : error.jsonResponse(requestID: call.id.uuid)
    }
}

/// One call of the Query protocol, not yet checked.
struct QueryCall: Sendable {
    let http: Call
    let action: String
    let fields: FormFields
    /// The body as received, which signatures cover.
    let body: [UInt8]
}
