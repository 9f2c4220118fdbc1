import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The picture of a user: the field `picture`, and the edge `/<user id>/picture`. (Graph API Reference, "User", "Profile Picture Source".)
///
/// A person without the claim `picture` has the silhouette that Facebook shows for users without a picture.
struct GraphPicture {
    let visit: Visit
    let person: Person
    /// The identifier by which the app knows the person.
    let id: String
    let size: Size

    /// The size of a picture in pixels.
    struct Size: Equatable {
        var width: Int
        var height: Int

        /// The largest side of a silhouette.
        static let longest = 720

        /// The sides of the sizes with a name.
        private static let named: [(name: String, side: Int)] = [
            ("small", 50), ("normal", 100), ("album", 50), ("large", 200), ("square", 50),
        ]

        /// Reads the arguments of the field or the parameters of the edge: `type`, or `width` and `height`, of which one is sufficient.
        /// - Throws: `GraphError`.
        init(_ arguments: FormFields) throws(GraphError) {
            var side = 50
            if let type = arguments.value("type") {
                guard let named = Self.named.first(where: { $0.name == type }) else {
                    let names = Self.named.map { $0.name }.joined(separator: ", ")
                    throw GraphError(message: "(#100) type must be one of the following values: \(names)", code: 100)
                }
                side = named.side
            }
            let (width, height) = (try Self.number("width", arguments), try Self.number("height", arguments))
            self.width = width ?? height ?? side
            self.height = height ?? width ?? side
        }

        private static func number(_ name: String, _ arguments: FormFields) throws(GraphError) -> Int? {
            guard let text = arguments.value(name) else { return nil }
            guard let number = Int64(digits: text) else {
                throw GraphError(message: "(#100) Param \(name) must be an integer", code: 100)
            }
            return Int(min(max(number, 1), Int64(longest)))
        }
    }

    /// The path of silhouettes, on `platform-lookaside.fbsbx.com`.
    static let path = "/platform/profilepic"

    /// The members of the picture's `data`.
    var data: JSONObject {
        let picture = person.claims["picture"]?.stringValue
        return [
            "height": .integer(Int64(size.height)), "is_silhouette": .bool(picture == nil), "url": .string(picture ?? silhouetteURL),
            "width": .integer(Int64(size.width)),
        ]
    }

    private var silhouetteURL: String {
        let base = visit.basePath.isEmpty ? "https://platform-lookaside.fbsbx.com" : visit.baseURL
        let query: FormFields = ["asid": id, "height": String(size.height), "width": String(size.width)]
        return "\(base)\(Self.path)/?\(query.encoded)"
    }

    /// Returns the value of the field.
    /// - Parameter subfields: the requested members; `nil` for all.
    /// - Throws: `GraphError` for a member that does not exist.
    func value(of subfields: [String]?) throws(GraphError) -> JSONValue {
        guard let subfields else { return ["data": .object(data)] }
        var selected: JSONObject = [:]
        for name in subfields {
            guard let value = data[name] else {
                // Facebook's cache of pictures has keys of its own.
                if name == "cache_key" { continue }
                throw GraphError(
                    message: "(#100) Tried accessing nonexisting field (\(name)) on node type (ProfilePictureSource)", code: 100)
            }
            selected[name] = value
        }
        return ["data": .object(selected)]
    }

    /// Returns the response of the edge: a redirect to the image, or its data with `redirect=false`.
    func response(_ parameters: FormFields) -> Response {
        let redirects = !["false", "0"].contains(parameters.value("redirect") ?? "true")
        return redirects
            ? .redirect(to: data["url"]?.stringValue ?? silhouetteURL, headers: .unstored)
            : .json(["data": .object(data)], headers: .unstored)
    }

    /// Returns a silhouette as an image: head and shoulders.
    static func silhouette(_ parameters: FormFields) throws(GraphError) -> Response {
        let size = try Size(parameters)
        let image = PNG.image(width: size.width, height: size.height) { x, y in
            // Thousandths of the image, from its center and its top.
            let (column, row) = ((2 * x + 1) * 500 / size.width - 500, (2 * y + 1) * 500 / size.height)
            let isHead = column * column + (row - 360) * (row - 360) < 180 * 180
            let isBody = row > 620 && column * column * 4 + (row - 1000) * (row - 1000) * 4 < 760 * 760
            return isHead || isBody
        }
        return Response(status: .ok, contentType: "image/png", headers: [.cacheControl: "public, max-age=86400"], body: image)
    }
}
