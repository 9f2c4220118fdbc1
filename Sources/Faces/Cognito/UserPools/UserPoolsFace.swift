package import Calls
import Cloud
import Directory
package import Federation
import HTTPTypes
import RequestSigning
import WireFormats

/// Amazon Cognito user pools: the API, and the documents of their issuers. (Amazon Cognito User Pools API Reference, version 2016-04-18.)
package struct UserPoolsFace: Sendable {
    /// The text before the operation in `X-Amz-Target`.
    package static let target = "AWSCognitoIdentityProviderService"
    /// The service in scopes of signatures, in policies and in the journal.
    package static let service = "cognito-idp"

    let authenticator: Authenticator
    /// How the functions of triggers are called.
    let functions: UserPoolFunctions
    private let outbound: Outbound?

    private static let contentType = "application/x-amz-json-1.1"
    private static let bodyLimit = 1 << 20

    /// - Parameters:
    ///   - authenticator: verifies signatures.
    ///   - functions: how the functions of triggers are called.
    ///   - outbound: sends requests to identity providers; `nil` if there is no way to them.
    package init(authenticator: Authenticator, functions: UserPoolFunctions, outbound: Outbound? = nil) {
        self.authenticator = authenticator
        self.functions = functions
        self.outbound = outbound
    }

    /// Responds to one call.
    package func respond(to call: Call) async -> Response {
        if UserPoolIssuerFace.answers(call.method, call.path) { return await UserPoolIssuerFace().respond(to: call) }
        call.note(face: Self.service)
        if call.method == .options { return Self.preflight(call) }
        do {
            let result = try await perform(call)
            return Self.response(.ok, result?.serializedBytes() ?? [], to: call)
        } catch {
            return Self.refuse(error, call)
        }
    }

    /// Responds to one request at the domain of a pool.
    /// - Parameters:
    ///   - pool: the identifier of the pool.
    ///   - path: the path of the page or endpoint.
    package func respond(to call: Call, atDomainOf pool: String, path: String) async -> Response {
        await HostedPages(functions: functions, outbound: outbound).respond(to: call, pool: pool, path: path)
    }

    private func perform(_ call: Call) async throws -> JSONValue? {
        let body = try await call.collectBody(upTo: Self.bodyLimit)
        let prefix = Self.target + "."
        let target = call.headers[.targetOfPools] ?? ""
        guard call.method == .post, target.hasPrefix(prefix) else { throw Self.unknown(target) }
        let name = String(target.dropFirst(prefix.count))
        call.note(operation: name)
        guard let operation = Self.operations[name] else {
            guard Self.others.contains(name) else { throw Self.unknown(target) }
            throw UserPoolError.unsupported("the operation \(name)")
        }
        let input = try UserPoolInput(Self.members(of: body))
        switch operation {
        case .open(let perform):
            // Clients without credentials call these; a signature that is there nevertheless is not verified.
            if call.cloud.faults.isArmed { try await call.applyFaults(FaultableCall(service: Self.service, action: name)) }
            var open = UserPoolCall(http: call, functions: functions, operation: name, input: input)
            return try await perform(&open)
        case .signed(let perform):
            var signed = try signedCall(call, name, input, body)
            if call.cloud.faults.isArmed {
                try await call.applyFaults(FaultableCall(service: Self.service, action: name, caller: signed.caller.arn))
            }
            return try await perform(&signed)
        }
    }

    /// Returns the members of the input. A body without bytes has none.
    private static func members(of body: [UInt8]) throws(UserPoolError) -> JSONObject {
        guard !body.isEmpty else { return [:] }
        let parsed = Result { () throws(JSONSyntaxError) in try JSONValue(parsing: body) }
        guard case .success(.object(let members)) = parsed else {
            throw UserPoolError("SerializationException", "The request body is not a JSON object.")
        }
        return members
    }

    private func signedCall(
        _ call: Call, _ name: String, _ input: UserPoolInput, _ body: [UInt8]
    ) throws(UserPoolError) -> SignedUserPoolCall {
        let authenticated: Authenticated?
        do throws(AuthenticationError) {
            authenticated = try authenticator.authenticate(call.signable, service: Self.service, body: body)
        } catch {
            throw UserPoolError(error)
        }
        guard let authenticated, let account = authenticated.caller.account else {
            throw UserPoolError("MissingAuthenticationTokenException", "Missing Authentication Token")
        }
        if let refusal = call.refusal(ofKey: authenticated.accessKey, by: authenticator, .call) {
            throw UserPoolError("AccessDeniedException", refusal)
        }
        if let arn = authenticated.caller.arn { call.note(caller: arn) }
        return SignedUserPoolCall(
            http: call, functions: functions, operation: name, input: input, caller: authenticated.caller, account: account,
            region: authenticated.region ?? "us-east-1")
    }

    private static func unknown(_ target: String) -> UserPoolError {
        UserPoolError("UnknownOperationException", "Virga does not serve the operation '\(target)'.")
    }

    /// Returns the response to a call that failed. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private static func refuse(_ error: any Error, _ call: Call) -> Response {
        let refusal = userPoolError(for: error, call)
        call.note(errorCode: refusal.code, message: refusal.message)
        // Denials have a capital letter here. (Recorded answers of AWS.)
        let member = refusal.code == "AccessDeniedException" ? "Message" : "message"
        let document: JSONValue = ["__type": .string(refusal.code), member: .string(refusal.message)]
        var response = response(refusal.status, document.serializedBytes(), to: call)
        response.appendErrorHeaders(code: refusal.code, message: refusal.message)
        return response
    }

    private static func userPoolError(for error: any Error, _ call: Call) -> UserPoolError {
        switch error {
        case let error as UserPoolError: return error
        case let refusal as UserPoolRefusal: return UserPoolError(refusal)
        case let fault as UserPoolTokenFault: return UserPoolError(fault)
        case let fault as InjectedFault:
            let (status, message) = fault.entry(in: .query)
            return UserPoolError(fault.failure.code, message, status: status)
        case is GrantRefusal: return .notAuthorized("Access Token has been revoked")
        case is BodyTooLarge: return UserPoolError("RequestEntityTooLarge", "Request body is too large.", status: .contentTooLarge)
        case is ContentCutOff: return UserPoolError("SerializationException", "The request body ended before its length.")
        case _ where FullStorage.isCause(of: error): return UserPoolError("LimitExceededException", FullStorage.message(for: error))
        default:
            call.note(failure: error)
            return UserPoolError("InternalErrorException", "Something went wrong", status: .internalServerError)
        }
    }

    private static func response(_ status: HTTPResponse.Status, _ body: [UInt8], to call: Call) -> Response {
        var response = Response(
            status: status, contentType: contentType, headers: [.amazonRequestIDOfPools: call.id.uuid], body: body)
        appendOrigin(to: &response, for: call)
        return response
    }

    /// Lets pages of every origin read a response.
    private static func appendOrigin(to response: inout Response, for call: Call) {
        guard call.headers.contains(.origin) else { return }
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.accessControlExposeHeaders] = "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date"
    }

    private static func preflight(_ call: Call) -> Response {
        var response = response(.ok, [], to: call)
        response.headers[.accessControlAllowMethods] = "POST"
        if let asked = call.headers[.accessControlRequestHeaders] { response.headers[.accessControlAllowHeaders] = asked }
        response.headers[.accessControlMaxAge] = "172800"
        return response
    }
}

extension HTTPField.Name {
    /// The header `x-amzn-RequestId`, which SDKs display.
    fileprivate static let amazonRequestIDOfPools = HTTPField.Name(literal: "x-amzn-RequestId")
    /// The header with the operation.
    fileprivate static let targetOfPools = HTTPField.Name(literal: "x-amz-target")
}
