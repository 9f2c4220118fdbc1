import Cloud
import WireFormats

/// The services that metrics distinguish. There are few, so that the number of time series is bounded.
enum MeteredService: Int, CaseIterable {
    case s3, sts, iam, organizations, oss, alibaba, identity, mobile, vending, application, console, control, unavailable

    /// The value of the label.
    var label: String { String(describing: self) }

    /// - Parameter face: the face that answered. Only it distinguishes unsigned forms, and services that are found by the scope of a signature.
    init(_ route: Route, face: @autoclosure () -> String) {
        self =
            switch route {
            case .s3, .website: .s3
            case .s3Unavailable: .unavailable
            case .unavailable: face() == "organizations" ? .organizations : .unavailable
            case .sts: .sts
            case .iam: .iam
            case .oss: .oss
            case .alibabaRPC: .alibaba
            case .appServer: .application
            case .identityProvider, .webFinger, .outboundIssuer: .identity
            case .mobileCloud: .mobile
            case .vendingMachine: .vending
            case .control(let path): path.hasPrefix("/ui") ? .console : .control
            case .icon, .localStackHealth: .control
            case .console: .console
            case .form:
                switch face() {
                case "sts": .sts
                case "iam": .iam
                case "s3": .s3
                case "alibaba-sts", "ram", "ims": .alibaba
                default: .unavailable
                }
            }
    }
}
