import Calls
import Directory
import Federation
import HTTPTypes
import Synchronization
import WireFormats

@testable import CognitoFaces

/// The functions of a pool in a test: it records their events, and returns the responses of the test.
final class FunctionsOfATest: Sendable {
    /// Returns the member `response`; `nil` to return the event as it is.
    typealias Respond = @Sendable (_ source: String, _ event: JSONValue) throws -> JSONObject?

    /// The error of a function.
    struct Refusal: Error {
        let message: String
    }

    /// A result that is sent as it is.
    struct RawResult: Error {
        let answer: OutboundResponse
    }

    private let recorded = Mutex<[JSONValue]>([])
    private let respond: Respond

    init(_ respond: @escaping Respond = { _, _ in nil }) { self.respond = respond }

    /// The events so far.
    var events: [JSONValue] { recorded.withLock { $0 } }

    /// The member `triggerSource` of the events so far.
    var sources: [String] { events.compactMap { $0["triggerSource"]?.stringValue } }

    /// The functions. No URL is known for ARNs with `unknown`.
    var functions: UserPoolFunctions {
        UserPoolFunctions(send: { try self.answer($0) }, url: { $0.contains("unknown") ? nil : "http://functions.example/" })
    }

    /// The key `triggers` of a seed with functions at all points.
    static let all = triggers(UserPoolTrigger.Point.allCases.map(\.rawValue))

    /// The key `triggers` of a seed.
    static func triggers(_ names: [String]) -> String {
        let targets = names.map { #"\#($0): "http://functions.example/\#($0)""# }.joined(separator: ", ")
        return "triggers: {\(targets)}"
    }

    /// Returns the last event of a source.
    func event(_ source: String) -> JSONValue? { events.last { $0["triggerSource"]?.stringValue == source } }

    private func answer(_ request: OutboundRequest) throws -> OutboundResponse {
        let event = try JSONValue(parsing: request.body)
        recorded.withLock { $0.append(event) }
        do {
            guard let response = try respond(event["triggerSource"]?.stringValue ?? "", event) else {
                return OutboundResponse(status: 200, body: request.body)
            }
            var result = event.objectValue ?? [:]
            result["response"] = .object(response)
            return OutboundResponse(status: 200, body: JSONValue.object(result).serializedBytes())
        } catch let refusal as Refusal {
            return OutboundResponse(
                status: 200, headers: [.init(literal: "X-Amz-Function-Error"): "Unhandled"],
                body: (["errorMessage": .string(refusal.message)] as JSONValue).serializedBytes())
        } catch let result as RawResult {
            return result.answer
        }
    }
}
