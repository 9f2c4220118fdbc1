import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// The URLs of an environment, which the *Settings* of a backend list under *Environment URLs*.
/// (Using Oracle Mobile Cloud Service, "Mobile Backends".)
struct EnvironmentURLs {
    var base: String
    /// Whether the backend allows single sign-on; only then it has a single sign-on endpoint.
    var hasSingleSignOn: Bool

    var oauthTokenEndpoint: String { base + "/oam/oauth2/tokens" }
    var ssoTokenEndpoint: String? { hasSingleSignOn ? base + "/mobile/platform/sso/token" : nil }

    /// - Parameter base: the origin of this server, as the caller spells it.
    init(_ backend: MobileBackend, base: String) {
        self.base = base
        hasSingleSignOn = backend.allowsSingleSignOn
    }

    var json: JSONValue {
        var json: JSONObject = ["baseURL": .string(base), "oauthTokenEndpoint": .string(oauthTokenEndpoint)]
        if let ssoTokenEndpoint { json["ssoTokenEndpoint"] = .string(ssoTokenEndpoint) }
        return .object(json)
    }
}

/// The configuration file of a client SDK, with a backend's keys. It contains the authentication methods that the backend allows.
/// (Using Oracle Mobile Cloud Service, "iOS Applications", "Android Applications", "JavaScript Applications", "Cordova Applications".)
struct SDKConfiguration {
    let backend: MobileBackend
    let urls: EnvironmentURLs

    enum File: String, CaseIterable {
        case iOS = "OMC.plist"
        case android = "oracle_mobile_cloud_config.xml"
        case javaScript = "oracle_mobile_cloud_config.js"
        case json = "oracle_mobile_cloud_config.json"

        fileprivate var contentType: String {
            switch self {
            case .iOS, .android: "application/xml"
            case .javaScript: "text/javascript; charset=utf-8"
            case .json: "application/json"
            }
        }
    }

    func response(_ file: File) -> Response {
        let bytes: [UInt8] =
            switch file {
            case .iOS: propertyList
            case .android: resource
            case .javaScript: Array("var mcs_config = \(json.serialized());\n".utf8)
            case .json: json.serializedBytes()
            }
        return Response(
            status: .ok, contentType: file.contentType,
            headers: [HTTPField.Name(literal: "Content-Disposition"): "attachment; filename=\"\(file.rawValue)\""], body: bytes)
    }

    private var hasOAuth: Bool { backend.allowsOAuth && backend.facebook == nil }
    private var hasBasic: Bool { backend.allowsBasic && backend.facebook == nil }

    /// The default method of the SDK, in the spelling of iOS and Android.
    private var usualMethod: String { backend.facebook != nil ? "facebook" : hasBasic ? "basic" : "oauth" }

    private var json: JSONValue {
        let (id, key) = (JSONValue.string(backend.id), JSONValue.string(backend.anonymousKey))
        var authorization: JSONObject = [:]
        func client(_ endpoint: String) -> JSONValue {
            [
                "clientId": .string(backend.clientID), "clientSecret": .string(backend.clientSecret),
                "tokenEndpoint": .string(endpoint),
            ]
        }
        if hasBasic { authorization["basicAuth"] = ["backendId": id, "anonymousToken": key] }
        if hasOAuth { authorization["oAuth"] = client(urls.oauthTokenEndpoint) }
        if let facebook = backend.facebook {
            authorization["facebookAuth"] = ["facebookAppId": .string(facebook.appID), "backendId": id, "anonymousToken": key]
        }
        if hasOAuth, let endpoint = urls.ssoTokenEndpoint { authorization["ssoAuth"] = client(endpoint) }
        if hasBasic { authorization["tokenAuth"] = ["backendId": id] }
        let names = ["facebook": "facebookAuth", "basic": "basicAuth", "oauth": "oAuth"]
        let entry: JSONValue = [
            "default": true, "authType": .string(names[usualMethod] ?? ""), "baseUrl": .string(urls.base), "applicationKey": "",
            "authorization": .object(authorization),
        ]
        return ["logLevel": "INFO", "logHTTP": false, "mobileBackends": .object([backend.name: entry])]
    }

    /// The keys and values of one authentication method, in order.
    private typealias Section = (name: String, entries: [(String, String)])

    private var propertyList: [UInt8] {
        var sections: [Section] = []
        let basic = [("mobileBackendID", backend.id), ("anonymousKey", backend.anonymousKey)]
        func client(_ endpoint: String) -> [(String, String)] {
            [("tokenEndpoint", endpoint), ("clientID", backend.clientID), ("clientSecret", backend.clientSecret)]
        }
        if hasOAuth { sections.append(("OAuth", client(urls.oauthTokenEndpoint))) }
        if hasBasic { sections.append(("Basic", basic)) }
        if let facebook = backend.facebook { sections.append(("Facebook", [("facebookAppID", facebook.appID)] + basic)) }
        if hasOAuth, let endpoint = urls.ssoTokenEndpoint { sections.append(("SSO", client(endpoint))) }
        if hasBasic { sections.append(("SSOTokenExchange", [("mobileBackendID", backend.id)])) }
        var xml = XMLWriter()
        xml.declaration()
        xml.element("plist", namespace: nil, attributes: ["version": "1.0"]) { xml in
            xml.element("dict") { xml in
                xml.element("key", "mobileBackends")
                xml.element("dict") { xml in
                    xml.element("key", backend.name)
                    xml.element("dict") { xml in
                        xml.element("key", "default")
                        xml.element("true", "")
                        xml.element("key", "baseURL")
                        xml.element("string", urls.base)
                        xml.element("key", "appKey")
                        xml.element("string", "")
                        xml.element("key", "authorization")
                        xml.element("dict") { xml in
                            xml.element("key", "authenticationType")
                            xml.element("string", usualMethod)
                            for section in sections {
                                xml.element("key", section.name)
                                xml.element("dict") { xml in
                                    for (name, value) in section.entries {
                                        xml.element("key", name)
                                        xml.element("string", value)
                                    }
                                }
                            }
                        }
                    }
                }
                xml.element("key", "logLevel")
                xml.element("string", "info")
            }
        }
        return xml.bytes
    }

    private var resource: [UInt8] {
        var sections: [Section] = []
        let basic = [("mobileBackendID", backend.id), ("anonymousKey", backend.anonymousKey)]
        func client(_ endpoint: String) -> [(String, String)] {
            [("oAuthTokenEndPoint", endpoint), ("oAuthClientId", backend.clientID), ("oAuthClientSecret", backend.clientSecret)]
        }
        if hasBasic { sections.append(("basic", basic)) }
        if hasOAuth { sections.append(("oauth", client(urls.oauthTokenEndpoint))) }
        if let facebook = backend.facebook { sections.append(("facebook", [("facebookAppId", facebook.appID)] + basic)) }
        if hasOAuth, let endpoint = urls.ssoTokenEndpoint { sections.append(("sso", client(endpoint))) }
        if hasBasic { sections.append(("ssoTokenExchange", [("mobileBackendID", backend.id)])) }
        var xml = XMLWriter()
        xml.declaration()
        xml.element("mobileBackends") { xml in
            xml.element("mobileBackend") { xml in
                xml.element("mbeName", backend.name)
                xml.element("mbeVersion", backend.version)
                xml.element("default", true)
                xml.element("appKey", "")
                xml.element("baseUrl", urls.base)
                xml.element("enableAnalytics", true)
                xml.element("enableLogger", true)
                xml.element("authorization") { xml in
                    xml.element("offlineAuthenticationEnabled", false)
                    xml.element("authenticationType", usualMethod)
                    for section in sections {
                        xml.element(section.name) { xml in
                            for (name, value) in section.entries { xml.element(name, value) }
                        }
                    }
                }
            }
        }
        return xml.bytes
    }
}

extension MobileAdministration {
    /// `backends/<key>/sdk/<file>`: returns the configuration file of an SDK.
    func downloadConfiguration(_ name: String, _ fileName: String) throws -> Response {
        let backend = try part(.backends, name, in: mobile)
        guard let file = SDKConfiguration.File(rawValue: fileName) else {
            let known = SDKConfiguration.File.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlError(.notFound, "unknown_file", "There is no file '\(fileName)'; expected one of \(known).")
        }
        return SDKConfiguration(backend: backend, urls: EnvironmentURLs(backend, base: call.origin)).response(file)
    }
}
