import Calls
import HTTPTypes
import WireFormats

/// The clock of the sandbox, and the errors on demand.
struct TimeRoom: ConsoleRoom {
    let visit: Visit

    static let path = Visit.path("/time")

    func show() async throws -> Response {
        guard visit.segments.count == 1 else { throw ConsoleRefusal.noSuchPage }
        return try await TimePage(visit: visit).response()
    }

    func act() async throws -> Response {
        guard visit.segments.count == 2 else { throw ConsoleRefusal.noSuchAction }
        let action = visit.segments[1]
        let actions = TimeActions(visit: visit)
        let message: DoneMessage
        do {
            switch action {
            case "age": message = try await actions.age()
            case "freeze": message = try await actions.freeze()
            case "run": message = try await actions.runOn()
            case "set": message = try await actions.set()
            case "preset": message = try await actions.addPreset()
            case "fault": message = try await actions.addFault()
            case "remove": message = try await actions.remove()
            default: throw ConsoleRefusal.noSuchAction
            }
        } catch let refusal as ConsoleRefusal where refusal != ConsoleRefusal.noSuchAction {
            // The form is shown again with the refusal, so that nothing that was typed is lost.
            visit.call.note(errorCode: refusal.code, message: refusal.message)
            return try await TimePage(visit: visit, refusal: refusal, action: action).response()
        }
        let place = action == "preset" || action == "fault" || action == "remove" ? "#faults" : ""
        return Visit.seeOther("\(Self.path)?done=\(message.rawValue)\(place)")
    }
}
