import Calls
import WireFormats

/// *Analytics*: the events that apps sent.
struct AnalyticsPage: MobilePage {
    let site: MobileSite
    let title = "Analytics"
    let section = MobileSection.analytics

    func content(_ draft: MobileDraft) async throws -> HTML {
        let rows = await site.list("events").enumerated().map { index, entry -> [HTML] in
            let event = entry["event"] ?? .null
            return [
                Parts.value(event["name"]?.stringValue ?? ""), Parts.value(event["type"]?.stringValue ?? ""),
                Parts.value(entry["backend"]?.stringValue ?? ""), Parts.value(entry["received"]?.stringValue ?? ""),
                DocumentFold(json: event, id: "event-\(index)").html,
            ]
        }
        return """
            <p class="soft">Events that apps sent to <code>/mobile/platform/analytics/events</code>, the newest first.</p>
            \(table("Events", ["Event", "Type", "Backend", "Received", "Content"], rows,
                empty: "<p>No app has sent an event. Send one in the <a href=\"\(MobileRoom.path("apis", "platform", "test"))?endpoint=4&amp;example=1\">API tester</a>.</p>"))
            \(callsBehind([("GET", "events?limit=100", nil)]))
            """
    }
}

/// *Devices*: the devices that apps registered for notifications.
struct DevicesPage: MobilePage {
    let site: MobileSite
    let title = "Devices"
    let section = MobileSection.devices

    func content(_ draft: MobileDraft) async throws -> HTML {
        let rows = await site.list("devices").compactMap(\.objectValue).enumerated().map { index, device -> [HTML] in
            let client = device["mobileClient"]
            return [
                Parts.value(device.string("id")), Parts.value(client?["id"]?.stringValue ?? ""),
                Parts.value(client?["platform"]?.stringValue ?? ""), Parts.value(device.string("user")),
                Parts.value(device.string("backend")),
                DocumentFold(json: .object(device), id: "device-\(index)").html,
            ]
        }
        return """
            <p class="soft">Apps register at <code>/mobile/platform/devices/register</code>.</p>
            \(table("Devices", ["Device", "App", "Platform", "User", "Backend", "Content"], rows,
                empty: "<p>No app has registered a device. The SDKs do it after a login.</p>"))
            \(callsBehind([("GET", "devices", nil)]))
            """
    }
}

/// *Notifications*: what custom code sent to devices.
struct NotificationsPage: MobilePage {
    let site: MobileSite
    let title = "Notifications"
    let section = MobileSection.notifications

    func content(_ draft: MobileDraft) async throws -> HTML {
        let rows = await site.list("notifications").compactMap(\.objectValue).enumerated().map { index, notification -> [HTML] in
            let recipients = (notification["recipients"]?.objectValue?.members ?? []).map { member -> HTML in
                "<span class=\"tag\">\(Parts.value(member.name)): \(member.value.serialized())</span>"
            }
            return [
                "\(notification["id"]?.serialized() ?? "")", Parts.value(notification["order"]?["message"]?.stringValue ?? ""),
                "\(recipients)",
                Parts.value(notification.string("backend")), Parts.value(notification.string("created")),
                DocumentFold(json: .object(notification), id: "notification-\(index)").html,
            ]
        }
        return """
            <p class="soft">Custom code sends them at <code>/mobile/system/notifications/notifications</code>. They are kept here; no device receives them.</p>
            \(table("Notifications", ["Number", "Message", "Recipients", "Backend", "Created", "Content"], rows,
                empty: "<p>Custom code has sent no notification.</p>"))
            \(callsBehind([("GET", "notifications", nil)]))
            """
    }
}

/// *Locations*: places, devices and assets of the Location API.
struct LocationsPage: MobilePage {
    let site: MobileSite
    let title = "Locations"
    let section = MobileSection.locations

    func content(_ draft: MobileDraft) async throws -> HTML {
        let locations = await visit.client.get("/mobile/locations").json
        let tables = [("places", "Places"), ("devices", "Location devices"), ("assets", "Assets")].map { member, title -> HTML in
            let rows = (locations[member]?.arrayValue ?? []).compactMap(\.objectValue).enumerated().map { index, entry -> [HTML] in
                [
                    "\(entry["id"]?.serialized() ?? "")", Parts.value(entry.string("name")), Parts.value(entry.string("label")),
                    Parts.value(entry.string("description")), DocumentFold(json: .object(entry), id: "\(member)-\(index)").html,
                ]
            }
            return """
                <h2>\(title)</h2>
                \(table(title, ["ID", "Name", "Label", "Description", "Content"], rows,
                    empty: "<p>There are none. Add <code>locations.\(member)</code> to the seed, or put them with the call below.</p>"))

                """
        }
        return """
            <p class="soft">Apps ask for them at <code>/mobile/platform/location/</code>.</p>
            \(tables)
            \(callsBehind([("GET", "locations", nil), ("PUT", "locations", #"{"places":[],"devices":[],"assets":[]}"#)]))
            """
    }
}

/// A document in a fold.
struct DocumentFold {
    let json: JSONValue
    let id: String

    var html: HTML {
        "<details class=\"fold\"><summary>Show</summary>\(Parts.code(json.serialized(pretty: true), id: id, label: "the content of \(id)"))</details>"
    }
}
