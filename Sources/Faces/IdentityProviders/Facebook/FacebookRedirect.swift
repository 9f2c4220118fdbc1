import Calls
import Cloud
import Directory
import WireFormats

/// The redirect URIs that every app has without registration. (Meta for Developers, "Manually Build a Login Flow"; the SDKs for iOS and
/// Android.)
enum FacebookRedirect {
    /// The dialog that a mobile SDK shows within the app.
    static let webDialog = "fbconnect://success"

    /// The path on `www.facebook.com` for apps with an embedded browser whose URL they watch.
    static let successPath = "/connect/login_success.html"

    static func isBuiltIn(_ redirectURI: String, of client: Client, in visit: Visit) -> Bool {
        switch redirectURI {
        case webDialog, "fb\(client.id)://authorize", "fb\(client.id)://authorize/", "https://www.facebook.com\(successPath)",
            visit.baseURL + successPath:
            true
        // Facebook allows this URI while an app is in development; Oracle's SDK for Cordova uses it.
        case "http://localhost/callback": true
        default: false
        }
    }

    /// Returns the page at the success path.
    static func successPage(of visit: Visit) -> Response {
        SignInPage(
            title: "Success",
            content: "<h1>Success</h1>\n<p>Please treat the address above as you would your password, and share it with nobody.</p>"
        ).response(of: visit.provider)
    }
}
