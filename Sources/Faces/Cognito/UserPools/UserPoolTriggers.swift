import Calls
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The triggers of a pool in one call: points of its flows at which it calls functions.
/// (Amazon Cognito Developer Guide, "Customizing user pool workflows with Lambda triggers".)
struct UserPoolTriggers: Sendable {
    let http: Call
    let functions: UserPoolFunctions
    let pool: UserPool
    /// The app; `nil` in calls of administrators, which name none.
    let client: UserPoolClient?
    /// The member `ClientMetadata` of the call, which functions receive.
    let metadata: JSONObject

    /// The time in which a function must return. (Amazon Cognito Developer Guide, "Things to know about Lambda triggers".)
    static let timeout = Duration.seconds(5)
    /// How often a function is called that does not return in time. (The same.)
    static let attempts = 3
    private static let longestResult = 1 << 20

    /// Calls the function of a point.
    /// - Parameters:
    ///   - source: the end of `triggerSource`.
    ///   - username: the member `userName`.
    ///   - request: the member `request` without the client's metadata.
    ///   - response: the member `response`, which the function fills.
    /// - Returns: what the function returned; `nil` if the pool calls none at this point.
    func call(
        _ point: UserPoolTrigger.Point, _ source: String, of username: String, request: JSONObject, response: JSONObject = [:]
    ) async throws -> UserPoolTriggerResponse? {
        guard let trigger = pool.trigger(point) else { return nil }
        guard let url = trigger.url ?? functions.url(trigger.function) else {
            http.note(cause: "No URL is known for \(trigger.function).")
            throw Self.unavailable(point)
        }
        let event = event(trigger, source, of: username, request: request, response: response)
        let order = OutboundRequest(
            method: .post, url: url, headers: [.contentType: "application/json"], body: event.serializedBytes(),
            timeout: Self.timeout, longestAnswer: Self.longestResult)
        for _ in 0..<Self.attempts {
            switch await attempt(order) {
            case .returned(let answer): return try UserPoolTriggerResponse(answer, of: point)
            case .timedOut: continue
            case .unreachable:
                http.note(
                    cause: """
                        The URL of \(trigger.function) cannot be reached, or its response is not HTTP with at most \
                        \(Self.longestResult) bytes.
                        """)
                throw Self.unavailable(point)
            }
        }
        http.note(cause: "The URL of \(trigger.function) did not respond in time.")
        // (furaiev/amazon-cognito-identity-dart-2 issue 204.)
        throw UserPoolError(
            "UnexpectedLambdaException",
            "\(point.rawValue) invocation failed due to error Socket timeout while invoking Lambda function.")
    }

    private enum Attempt: Sendable {
        case returned(OutboundResponse)
        case timedOut
        case unreachable
    }

    private func attempt(_ order: OutboundRequest) async -> Attempt {
        do {
            return .returned(try await functions.send(order))
        } catch {
            return (error as? OutboundError) == .timedOut ? .timedOut : .unreachable
        }
    }

    /// The error for a function that cannot be called. AWS has this text for one that the pool may not invoke.
    /// (amazon-archives/amazon-cognito-auth-js issue 223.)
    private static func unavailable(_ point: UserPoolTrigger.Point) -> UserPoolError {
        UserPoolError("UnexpectedLambdaException", "\(point.rawValue) invocation failed due to error AccessDeniedException.")
    }

    private func event(
        _ trigger: UserPoolTrigger, _ source: String, of username: String, request: JSONObject, response: JSONObject
    ) -> JSONValue {
        var request = request
        if !metadata.isEmpty, trigger.point != .preAuthentication { request["clientMetadata"] = .object(metadata) }
        let prefix = trigger.point == .preTokenGeneration ? "TokenGeneration" : trigger.point.rawValue
        return [
            "version": .string(trigger.version?.ofEvents ?? "1"), "region": .string(pool.region), "userPoolId": .string(pool.id),
            "userName": .string(username),
            "callerContext": [
                "awsSdkVersion": "aws-sdk-unknown-unknown", "clientId": .string(client?.id ?? "CLIENT_ID_NOT_APPLICABLE"),
            ],
            "triggerSource": .string("\(prefix)_\(source)"), "request": .object(request), "response": .object(response),
        ]
    }
}

/// The member `response` of what a function returned. Members of another type than the contract's are refused.
struct UserPoolTriggerResponse: Sendable {
    private let members: JSONObject

    /// The error for what is no result of a function. (amazon-archives/amazon-cognito-identity-js issue 167.)
    static let unrecognizable = UserPoolError("InvalidLambdaResponseException", "Unrecognizable lambda output")

    private static let longestReason = 1000

    init(_ members: JSONObject) { self.members = members }

    /// Reads what a function returned. As at the `Invoke` call of Lambda, a header marks an error; so does a status other than 2xx.
    init(_ answer: OutboundResponse, of point: UserPoolTrigger.Point) throws(UserPoolError) {
        let document = try? JSONValue(parsing: answer.body)
        guard (200..<300).contains(answer.status), !answer.headers.contains(.functionError) else {
            let reason = document?["errorMessage"]?.stringValue ?? "status \(answer.status)"
            throw UserPoolError(
                "UserLambdaValidationException", "\(point.rawValue) failed with error \(reason.prefix(Self.longestReason)).")
        }
        // (aws/aws-sdk-js issue 2692.)
        guard let document else {
            throw UserPoolError("InvalidLambdaResponseException", "Invalid lambda function output : Invalid JSON")
        }
        guard let members = document["response"]?.objectValue else { throw Self.unrecognizable }
        self.members = members
    }

    private func value(_ name: String) -> JSONValue? {
        guard let value = members[name], value != .null else { return nil }
        return value
    }

    /// Returns whether a member is true.
    func flag(_ name: String) throws(UserPoolError) -> Bool {
        guard let value = value(name) else { return false }
        guard let flag = value.boolValue else { throw Self.unrecognizable }
        return flag
    }

    /// Returns an optional text.
    func text(_ name: String) throws(UserPoolError) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue else { throw Self.unrecognizable }
        return text
    }

    /// Returns an optional list of texts.
    func texts(_ name: String) throws(UserPoolError) -> [String]? {
        guard let value = value(name) else { return nil }
        guard let elements = value.arrayValue else { throw Self.unrecognizable }
        let texts = elements.compactMap(\.stringValue)
        guard texts.count == elements.count else { throw Self.unrecognizable }
        return texts
    }

    /// Returns an optional structure.
    func object(_ name: String) throws(UserPoolError) -> UserPoolTriggerResponse? {
        guard let value = value(name) else { return nil }
        guard let object = value.objectValue else { throw Self.unrecognizable }
        return UserPoolTriggerResponse(object)
    }

    /// Returns a map of any values; an empty one if it is missing.
    func map(_ name: String) throws(UserPoolError) -> JSONObject {
        guard let value = value(name) else { return [:] }
        guard let object = value.objectValue else { throw Self.unrecognizable }
        return object
    }

    /// Returns a map of texts; an empty one if it is missing.
    func textMap(_ name: String) throws(UserPoolError) -> JSONObject {
        let map = try map(name)
        guard map.members.allSatisfy({ $0.value.stringValue != nil }) else { throw Self.unrecognizable }
        return map
    }

    /// Returns whether there is a member with this name, even if it is `null`.
    func has(_ name: String) -> Bool { members[name] != nil }
}

extension HTTPField.Name {
    /// The header by which Lambda marks the error of a function.
    fileprivate static let functionError = HTTPField.Name(literal: "X-Amz-Function-Error")
}
