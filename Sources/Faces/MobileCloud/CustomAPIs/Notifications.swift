import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// `/mobile/system/notifications/notifications[/{id}]`: lets custom code send notifications to devices. They are stored with the number of
/// matching devices; nothing is delivered. Team members cannot create notifications here, although the real service allows it.
/// (REST API for Oracle Mobile Cloud Service, "Notifications"; Using Oracle Mobile Cloud Service, "Accessing the Notifications API from
/// Custom Code".)
struct Notifications {
    let call: MobileCall

    private static let path = "/mobile/system/notifications/notifications"
    /// The longest body of a request in bytes.
    private static let longestBody = 256 << 10

    func respond() async throws -> Response {
        guard (4...5).contains(call.path.count), call.path[3] == "notifications" else {
            throw MobileError(.unknownPath, "There is no API at \(call.http.path).")
        }
        guard call.path.count == 5 else {
            switch call.method {
            case .post: return try await add(to: try await backend("PostNotification"))
            case .get: return try await list(of: try await backend("GetNotifications"))
            default: throw MobileError.methodNotAllowed(.get, .post)
            }
        }
        switch call.method {
        case .get:
            let backend = try await backend("GetNotification")
            guard let number = Int64(digits: call.path[4]),
                let notification = try call.cloud.mobileNotifications.find(number, of: backend.id)
            else { throw unknown }
            return .json(json(notification))
        case .delete:
            let backend = try await backend("DeleteNotification")
            guard let number = Int64(digits: call.path[4]), try await call.cloud.mobileNotifications.delete(number, of: backend.id) else {
                throw unknown
            }
            return Response(status: .noContent)
        default: throw MobileError.methodNotAllowed(.get, .delete)
        }
    }

    private var unknown: MobileError { MobileError(.unknownResource, "There is no notification \(call.path[4]).") }

    /// Returns the backend whose devices are addressed: the caller's, unless the request names another.
    private func backend(_ operation: String) async throws -> MobileBackend {
        let caller = try await call.enter(customCode: operation)
        guard let id = call.http.headers[.backendID] else { return caller.backend }
        guard let backend = call.mobile.backend(id: id) else { throw MobileError(.unknownBackend, "There is no mobile backend \(id).") }
        return backend
    }

    private func add(to backend: MobileBackend) async throws -> Response {
        let order = try NotificationOrder(try await call.http.collectBody(upTo: Self.longestBody))
        var recipients: [String: Int] = [:]
        for device in try call.cloud.mobileDevices.all(of: backend.id) where order.matches(device) {
            recipients[device.client.platform.rawValue, default: 0] += 1
        }
        let notification = try await call.cloud.mobileNotifications.add(
            order.json, for: backend.id, sendOn: order.sendOn, recipients: recipients, at: call.http.received)
        return .json(json(notification), status: .created, headers: [.location: "\(Self.path)/\(notification.number)"])
    }

    private func list(of backend: MobileBackend) async throws -> Response {
        let query = try NotificationQuery(call.query)
        let found = query.select(try await call.cloud.mobileNotifications.all(of: backend.id).map(json))
        let page = found.dropFirst(query.offset).prefix(query.limit)
        return .json([
            "items": .array(Array(page)), "hasMore": .bool(query.offset + page.count < found.count), "limit": .integer(Int64(query.limit)),
            "offset": .integer(Int64(query.offset)), "count": .integer(Int64(page.count)), "totalResults": .integer(Int64(found.count)),
        ])
    }

    /// Returns the notification in its current state: a scheduled one stays `Scheduled` until its time.
    private func json(_ notification: MobileNotification) -> JSONValue {
        let count = notification.recipients.values.reduce(0, +)
        var json: JSONObject = ["id": .integer(notification.number), "createdOn": .string(notification.created.iso8601Milliseconds)]
        if let sendOn = notification.sendOn, call.http.received.milliseconds < sendOn.milliseconds {
            json["status"] = "Scheduled"
        } else {
            json["status"] = count == 0 ? "Error" : "Sent"
            json["processedOn"] = .string((notification.sendOn ?? notification.created).iso8601Milliseconds)
            json["deviceCount"] = .integer(Int64(count))
            if count == 0 { json["errorMessage"] = "No registered device matches the recipients." }
            json["platformCounts"] = .array(
                notification.recipients.sorted { $0.key < $1.key }.map {
                    ["platform": .string($0.key), "deviceCount": .integer(Int64($0.value))]
                })
        }
        for (name, value) in notification.order.members { json[name] = value }
        let path = JSONValue.string("\(Self.path)/\(notification.number)")
        json["links"] = [["rel": "canonical", "href": path], ["rel": "self", "href": path]]
        return .object(json)
    }
}

/// `/mobile/platform/ums/tokens`: issues the token with which the custom code SDK calls the Notifications API of a given backend.
struct NotificationTokens {
    let call: MobileCall

    private static let longestBody = 16 << 10

    func respond() async throws -> Response {
        guard call.path.count == 4, call.path[3] == "tokens" else {
            throw MobileError(.unknownPath, "There is no API at \(call.http.path).")
        }
        guard call.method == .post else { throw MobileError.methodNotAllowed(.post) }
        let caller = try await call.enter(customCode: "GetNotificationToken")
        guard let customCode = caller.customCode else { throw MobileError(.forbidden, "The token is for custom code.") }
        let body = try? JSONValue(parsing: try await call.http.collectBody(upTo: Self.longestBody))
        guard let name = body?["name"]?.stringValue, let version = body?["version"]?.stringValue else {
            throw MobileError(.malformedRequest, "The body must be an object with the name and version of a mobile backend.")
        }
        guard let backend = call.mobile.backends["\(name)(\(version))"] else {
            throw MobileError(.unknownBackend, "There is no mobile backend \(name) in version \(version).")
        }
        // The token is for the notifications of the backend, so its caller is anonymous.
        let anonymous = MobileCaller(backend: backend, identity: .anonymous, method: caller.method, roles: [])
        let credential = CustomCodeCredential(for: anonymous, of: customCode, at: call.http.received)
        return Response(status: .created, contentType: "text/plain", text: "Bearer \(try credential.sealed(with: call.cloud.sealingKey))")
    }
}
