import Calls
import Cloud
import Federation
import HTTPTypes
import WireFormats

/// A service of the AWS Query protocol: what every one of them does with a call, whatever it is about.
/// (Smithy, "AWS query protocol".)
struct QueryService: Sendable {
    /// As in the scope of signatures and the journal.
    let name: String
    /// The only `Version` that is taken.
    let version: String
    /// Of answers and errors.
    let namespace: String
    /// Bytes that a call may have.
    let bodyLimit: Int
    /// Whether calls may be signed with Version 2.
    var takesVersion2 = false
    /// Members that are no texts in answers of JSON, which clients can ask for; `nil` for a service that answers in XML alone.
    var membersInJSON: QueryJSON?
    let authenticator: Authenticator
    /// Who makes a call that is not signed, by what it carries; asked only where an error on demand is for somebody.
    var identify: (@Sendable (QueryCall) async -> String?)?

    /// What an operation answers, inside `<…Result>`; `nil` for those that answer with metadata alone.
    typealias Result = (inout XMLWriter) -> Void

    /// Answers one call.
    /// - Parameters:
    ///   - form: the form, where the front door has read it already.
    ///   - perform: carries the call out.
    func respond(
        to call: Call, form: QueryForm?, perform: (QueryCall) async throws -> Result?
    ) async -> Response {
        call.note(face: name)
        do {
            let form =
                if let form { form } else { QueryForm(try await call.collectBody(upTo: bodyLimit)) }
            let query = try queryCall(call, form)
            if call.cloud.faults.isArmed { try await meetFaults(query) }
            return render(query.action, call, try await perform(query))
        } catch let error as QueryError {
            return refuse(error, call)
        } catch let fault as InjectedFault {
            let (status, message) = fault.entry(in: .query)
            return refuse(QueryError(fault.failure.code, status, message), call)
        } catch is BodyTooLarge {
            return refuse(QueryError("RequestEntityTooLarge", .contentTooLarge, "Request body is too large."), call)
        } catch is ContentCutOff {
            return refuse(QueryError("MalformedInput", .badRequest, "The request body ended before its length."), call)
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
        // Parameters travel in the query or in the form; some SDKs mix both.
        guard let inQuery = FormFields(parsing: call.query), var fields = form.fields else {
            throw QueryError("MalformedQueryString", .notFound, "The query string contains a syntax error.")
        }
        if !inQuery.fields.isEmpty { fields.fields = inQuery.fields + fields.fields }
        guard let action = fields.first("Action"), !action.isEmpty else {
            throw QueryError("MissingAction", .badRequest, "Request is missing an Action")
        }
        let call = QueryCall(http: call, action: action, fields: fields, body: form.bytes)
        guard fields.first("Version") == version else { throw unknown(call) }
        return call
    }

    /// The refusal of an action that the service does not have.
    func unknown(_ call: QueryCall) -> QueryError {
        QueryError(
            "InvalidAction", .badRequest,
            "Could not find operation \(call.action) for version \(call.fields.first("Version") ?? "NO_VERSION_SPECIFIED")")
    }

    /// Who signed the call.
    func authenticate(_ call: QueryCall) throws(QueryError) -> Caller { try authenticated(call).caller }

    /// Who signed the call, and for which region, where the signature says it.
    func authenticated(_ call: QueryCall) throws(QueryError) -> (caller: Caller, region: String?) {
        guard let signer = try signer(of: call) else {
            throw QueryError("MissingAuthenticationToken", .forbidden, "Request is missing Authentication Token")
        }
        if let arn = signer.caller.arn { call.http.note(caller: arn) }
        return signer
    }

    /// Who signed the call, if somebody did. Version 2 signs parameters instead of fields, and is looked for where there is no other.
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

    /// Refuses calls that a page signs with a well-known key.
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

    /// How to answer in JSON, where the client asks for it.
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
    /// As received; what a signature covers.
    let body: [UInt8]
}
