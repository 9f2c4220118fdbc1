import Directory
import FoundationEssentials
import ObjectStore
import SQLite
package import WireFormats

/// The registration of an app on one device for notifications.
/// (REST API for Oracle Mobile Cloud Service, "Register Mobile Client".)
package struct MobileDevice: Hashable, Sendable, Codable {
    /// The UUID from the first registration of the device.
    package var id: String
    /// The ``MobileBackend/id`` of the backend.
    package var backend: String
    /// The app on the device.
    package var client: Client
    /// The identifier of the app and device at the notification service.
    package var notificationToken: String
    /// The notification service in the request; see ``provider`` for the effective one.
    package var notificationProvider: Provider?
    /// The user of the app at the last registration; `nil` if there was none.
    package var user: String?
    /// When the registration last changed.
    package var modified: Timestamp

    /// An app on a device.
    package struct Client: Hashable, Sendable, Codable {
        /// The identifier of the app, such as `com.company.app`.
        package var id: String
        /// The version of the app.
        package var version: String?
        /// The platform of the app.
        package var platform: Platform

        package init(id: String, version: String?, platform: Platform) {
            self.id = id
            self.version = version
            self.platform = platform
        }
    }

    /// The platforms that can receive notifications.
    package enum Platform: String, Hashable, Sendable, Codable, CaseIterable {
        case iOS = "IOS"
        case android = "ANDROID"
        case windows = "WINDOWS"
        case web = "WEB"
    }

    /// A notification service.
    package enum Provider: String, Hashable, Sendable, Codable, CaseIterable {
        case apple = "APNS"
        case googleCloud = "GCM"
        case firebase = "FCM"
        case windows = "WNS"
        case syniverse = "SYNIVERSE"
    }

    /// The effective notification service: the one in the request, or else that of the platform.
    package var provider: Provider {
        if let notificationProvider { return notificationProvider }
        return switch client.platform {
        case .iOS: .apple
        case .android: .googleCloud
        case .windows: .windows
        case .web: .firebase
        }
    }

    package init(
        id: String, backend: String, client: Client, notificationToken: String, notificationProvider: Provider?, user: String?,
        modified: Timestamp
    ) {
        self.id = id
        self.backend = backend
        self.client = client
        self.notificationToken = notificationToken
        self.notificationProvider = notificationProvider
        self.user = user
        self.modified = modified
    }
}

extension MobileDevice {
    /// The response to a registration.
    package var json: JSONObject {
        var client: JSONObject = ["id": .string(client.id)]
        if let version = self.client.version { client["version"] = .string(version) }
        client["platform"] = .string(self.client.platform.rawValue)
        var json: JSONObject = ["id": .string(id), "notificationToken": .string(notificationToken)]
        if let provider = notificationProvider { json["notificationProvider"] = .string(provider.rawValue) }
        json["mobileClient"] = .object(client)
        if let user { json["user"] = .string(user) }
        json["modifiedOn"] = .string(modified.iso8601Milliseconds)
        return json
    }
}

/// The devices that are registered with the backends.
package struct MobileDevices: Sendable {
    let database: Database

    /// Registers a device. If it is registered already, it keeps its identifier.
    /// - Returns: the registered device, and whether it is new.
    package func register(_ device: MobileDevice) async throws -> (device: MobileDevice, isNew: Bool) {
        try await database.write { connection in
            var device = device
            let known = try MobileDeviceRecords.find(device, in: connection)
            if let known { device.id = known.id }
            try MobileDeviceRecords.put(device, into: connection)
            return (device, known == nil)
        }
    }

    /// Removes the registration of a device.
    /// - Returns: whether there was one.
    package func deregister(
        client: String, platform: MobileDevice.Platform, notificationToken: String, backend: String
    ) async throws -> Bool {
        try await database.write { connection in
            try connection.run(
                MobileDeviceStatement.delete.rawValue, .text(backend), .text(client), .text(platform.rawValue), .text(notificationToken))
                > 0
        }
    }

    /// Returns the devices of a backend, ordered by app, platform and token.
    package func all(of backend: String) throws -> [MobileDevice] {
        try database.read { connection in try MobileDeviceRecords.all(of: backend, in: connection) }
    }
}

/// The statements on devices of mobile backends.
enum MobileDeviceStatement: String, CaseIterable {
    case put = "INSERT OR REPLACE INTO mobile_devices(backend, client, platform, token, document) VALUES (?1, ?2, ?3, ?4, ?5)"
    case find = "SELECT document FROM mobile_devices WHERE backend = ?1 AND client = ?2 AND platform = ?3 AND token = ?4"
    case delete = "DELETE FROM mobile_devices WHERE backend = ?1 AND client = ?2 AND platform = ?3 AND token = ?4"
    case ofBackend = "SELECT document FROM mobile_devices WHERE backend = ?1 ORDER BY client, platform, token"
}

/// The table `mobile_devices`.
enum MobileDeviceRecords {
    static func put(_ device: MobileDevice, into connection: Connection) throws {
        let document = String(decoding: try JSONEncoder().encode(device), as: UTF8.self)
        try connection.run(
            MobileDeviceStatement.put.rawValue, .text(device.backend), .text(device.client.id), .text(device.client.platform.rawValue),
            .text(device.notificationToken),
            .text(document))
    }

    /// Returns the earlier registration of the same app on the same device.
    static func find(_ device: MobileDevice, in connection: Connection) throws -> MobileDevice? {
        try connection.first(
            MobileDeviceStatement.find.rawValue, .text(device.backend), .text(device.client.id), .text(device.client.platform.rawValue),
            .text(device.notificationToken)
        ) { row in
            try JSONDecoder().decode(MobileDevice.self, from: Data(row.text(0).utf8))
        }
    }

    static func all(of backend: String, in connection: Connection) throws -> [MobileDevice] {
        let decoder = JSONDecoder()
        return try connection.all(MobileDeviceStatement.ofBackend.rawValue, .text(backend)) { row in
            try decoder.decode(MobileDevice.self, from: Data(row.text(0).utf8))
        }
    }
}
