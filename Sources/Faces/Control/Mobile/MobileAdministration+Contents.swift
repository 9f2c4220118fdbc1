import Calls
import Cloud
import Directory
import HTTPTypes
import Seeds
import WireFormats

extension MobileAdministration {
    /// `locations`: the data of the Location API.
    func answerLocations() async throws -> Response {
        guard path.count == 1 else { throw unknownPath }
        switch method {
        case .get: break
        case .put:
            let locations: MobileLocations
            do { locations = try MobileLocations.record.read(try await body()) } catch { throw Self.malformed(error, "locations") }
            try await editEnvironment { $0.locations = locations }
        default: throw unknownPath
        }
        return .json(.object(try MobileLocations.record.json(of: mobile.environment.locations)))
    }

    private static let usualEvents = 100

    /// `events`: the events that apps sent to Analytics, newest first; filtered by `?backend=<key>` and `?limit=`.
    func listEvents() throws -> Response {
        guard path.count == 1 else { throw unknownPath }
        var limit = Self.usualEvents
        if let text = try query()["limit"] {
            guard let number = Int(digits: text), (1...Int(MobileEvents.limit)).contains(number) else {
                throw ControlError(.badRequest, "malformed_member", "'limit' must be a number from 1 to \(MobileEvents.limit).")
            }
            limit = number
        }
        let events = try cloud.mobileEvents.newest(limit, of: try chosenBackend()?.id)
        let keys = Dictionary(mobile.backends.values.map { ($0.id, $0.key) }, uniquingKeysWith: { $1 })
        return .json([
            "events": .array(
                events.map { event in
                    [
                        "backend": .string(keys[event.backend] ?? event.backend), "received": .string(event.received.iso8601Milliseconds),
                        "event": .object(event.content),
                    ]
                })
        ])
    }

    /// `devices`: the registered devices; filtered by `?backend=<key>`.
    func listDevices() throws -> Response {
        guard path.count == 1 else { throw unknownPath }
        var devices: [JSONValue] = []
        for backend in try chosenBackends() {
            devices += try cloud.mobileDevices.all(of: backend.id).map { device in
                var json = device.json
                json["backend"] = .string(backend.key)
                return .object(json)
            }
        }
        return .json(["devices": .array(devices)])
    }

    /// `notifications`: the notifications that custom code sent to devices; filtered by `?backend=<key>`.
    func listNotifications() async throws -> Response {
        guard path.count == 1 else { throw unknownPath }
        var notifications: [JSONValue] = []
        for backend in try chosenBackends() {
            notifications += try await cloud.mobileNotifications.all(of: backend.id).map { notification in
                var json: JSONObject = [
                    "id": .integer(notification.number), "backend": .string(backend.key),
                    "created": .string(notification.created.iso8601Milliseconds),
                ]
                if let time = notification.sendOn { json["sendOn"] = .string(time.iso8601Milliseconds) }
                json["order"] = .object(notification.order)
                json["recipients"] = .object(
                    JSONObject(notification.recipients.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) }))
                return .object(json)
            }
        }
        return .json(["notifications": .array(notifications)])
    }

    private func query() throws(ControlError) -> FormFields {
        guard let fields = call.queryFields else {
            throw ControlError(.badRequest, "malformed_query", "The query is not well-formed.")
        }
        return fields
    }

    private func chosenBackend() throws(ControlError) -> MobileBackend? {
        guard let key = try query()["backend"] else { return nil }
        return try part(.backends, key, in: mobile)
    }

    private func chosenBackends() throws(ControlError) -> [MobileBackend] {
        if let backend = try chosenBackend() { return [backend] }
        return mobile.backends.values.sorted { $0.key < $1.key }
    }
}
