import Calls
import Directory
import Federation
import HTTPTypes
import WireFormats

extension OpenIDConnectFace {
    /// The routes of issuers of a product: at the product's paths, and at those that every issuer has at `/idp/<name>`.
    static let productRoutes = [IssuerProduct: RouteTable<OpenIDConnectFace>](
        uniqueKeysWithValues: IssuerProduct.allCases.map { product -> (IssuerProduct, RouteTable<OpenIDConnectFace>) in
            let path = { (endpoint: ProviderEndpoint) in product.path(of: endpoint) ?? endpoint.path }
            return (product, RouteTable(further(of: product) + endpoints(at: path) + ownEndpoints(at: path) + routes.routes))
        })

    /// Returns the routes that only one product has.
    private static func further(of product: IssuerProduct) -> [ProviderRoute<OpenIDConnectFace>] {
        switch product {
        case .entra:
            [
                .application("/v2.0" + WellKnownPath.openIDConfiguration, takes: [.get]) { face in
                    try await face.visit.enter("Discovery")
                    return .json(.object(OpenIDConnectMetadata(visit: face.visit).document))
                },
                .application(EntraInstance.path, takes: [.get]) { try await EntraInstance(visit: $0.visit).respond() },
            ]
        case .apple: []
        case .auth0: [.page(Auth0Logout.path, takes: [.get]) { try await Auth0Logout(visit: $0.visit).respond() }]
        }
    }
}
