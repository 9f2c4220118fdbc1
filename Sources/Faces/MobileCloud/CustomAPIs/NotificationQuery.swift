import Seeds
import WireFormats

/// The filter, order and page of a listing of notifications. (REST API for Oracle Mobile Cloud Service, "Return Notifications by Query".)
struct NotificationQuery {
    let offset: Int
    let limit: Int
    private var conditions: [(JSONValue) -> Bool] = []
    /// The members to sort by, most significant first.
    private var order: [(member: String, isFalling: Bool)] = []

    private static let sortable = ["id", "status", "tag", "platform", "sendOn", "createdOn", "processedOn"]

    /// The largest and default page size.
    private static let longestPage = 100

    /// - Throws: ``MobileError`` for values that are not numbers or times.
    init(_ query: FormFields) throws(MobileError) {
        offset = try Self.number(query, "offset") ?? 0
        limit = min(try Self.number(query, "limit") ?? Self.longestPage, Self.longestPage)
        for name in ["status", "tag"] {
            if let value = query[name] { conditions.append { $0[name]?.stringValue == value } }
        }
        if let part = query["q"]?.lowercased() { conditions.append { $0["tag"]?.stringValue?.lowercased().contains(part) ?? false } }
        for member in ["createdOn", "processedOn", "sendOn"] {
            let earliest = try Self.time(query, member + "OrAfter")
            let latest = try Self.time(query, member + "OrBefore")
            guard earliest != nil || latest != nil else { continue }
            conditions.append { notification in
                guard let time = notification[member]?.stringValue.flatMap(Timestamp.init(minuteOrSecond:)) else { return false }
                return (earliest ?? time).milliseconds <= time.milliseconds && time.milliseconds <= (latest ?? time).milliseconds
            }
        }
        for part in query["orderBy"]?.split(separator: ",") ?? [] {
            let words = part.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard let member = words.first, Self.sortable.contains(member),
                words.count == 1 || words.count == 2 && ["asc", "desc"].contains(words[1])
            else {
                throw MobileError(
                    .malformedRequest, "orderBy names some of \(Self.sortable.joined(separator: ", ")), each with :asc or :desc.")
            }
            order.append((member, words.last == "desc"))
        }
    }

    /// Returns the notifications that match the filter, in the requested order.
    func select(_ notifications: [JSONValue]) -> [JSONValue] {
        let found = notifications.filter(holds)
        return order.isEmpty ? found : found.sorted(by: precedes)
    }

    private func precedes(_ one: JSONValue, _ other: JSONValue) -> Bool {
        for (member, isFalling) in order {
            let (left, right) = isFalling ? (other[member], one[member]) : (one[member], other[member])
            if let left = left?.integerValue, let right = right?.integerValue, left != right { return left < right }
            let texts = (left?.stringValue ?? "", right?.stringValue ?? "")
            if texts.0 != texts.1 { return texts.0 < texts.1 }
        }
        return false
    }

    private func holds(_ notification: JSONValue) -> Bool { conditions.allSatisfy { $0(notification) } }

    private static func number(_ query: FormFields, _ name: String) throws(MobileError) -> Int? {
        guard let text = query[name] else { return nil }
        guard let number = Int(digits: text) else { throw MobileError(.malformedRequest, "\(name) must be a number.") }
        return number
    }

    private static func time(_ query: FormFields, _ name: String) throws(MobileError) -> Timestamp? {
        guard let text = query[name] else { return nil }
        guard let time = Timestamp(minuteOrSecond: text) else {
            throw MobileError(.malformedRequest, "\(name) must be a time in UTC, such as 2026-11-21T08:00:00.000Z.")
        }
        return time
    }
}
