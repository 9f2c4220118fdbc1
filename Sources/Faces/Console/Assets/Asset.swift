import Calls
import Cryptography
import HTTPTypes
import NIOCore
import WireFormats

/// The files that pages load. They are read from the executable when a browser first asks for them.
enum Asset: String, CaseIterable {
    case style = "console.css"
    case script = "console.js"
    case icon = "icon.svg"

    private var bytes: [UInt8] {
        switch self {
        case .style: PackageResources.console_css + DiagramStyle.rules.utf8
        case .script: PackageResources.console_js
        case .icon: PackageResources.icon_svg
        }
    }

    private var contentType: String {
        switch self {
        case .style: "text/css; charset=utf-8"
        case .script: "text/javascript; charset=utf-8"
        case .icon: "image/svg+xml"
        }
    }

    /// The path with the version, which changes with the content.
    var path: String { Visit.path("/assets/\(rawValue)?v=\(Self.versions[self] ?? "")") }

    private static let versions = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0, String(SHA256.hash($0.bytes).hex.prefix(12))) })

    var response: Response {
        let headers: HTTPFields = [
            .contentType: contentType, .cacheControl: "public, max-age=86400", .xContentTypeOptions: "nosniff",
            .resourcePolicy: "same-origin", .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        ]
        var response = Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        // Pages load it as a script, style or image.
        response.display = .frame
        return response
    }
}
