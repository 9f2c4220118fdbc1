# What the hosted pages of a user pool need: a domain, an app with redirect URIs, and a resource server with scopes.

resource "aws_cognito_user_pool_domain" "people" {
  domain       = "lighthouse-people"
  user_pool_id = aws_cognito_user_pool.people.id
}

resource "aws_cognito_resource_server" "lamps" {
  identifier   = "https://lamps.lighthouse.example"
  name         = "Lamps"
  user_pool_id = aws_cognito_user_pool.people.id

  scope {
    scope_name        = "read"
    scope_description = local.first ? "Sees lamps" : "Sees all lamps"
  }

  dynamic "scope" {
    for_each = local.first ? [] : ["light"]
    content {
      scope_name        = scope.value
      scope_description = "Lights lamps"
    }
  }
}

locals {
  scope = "${aws_cognito_resource_server.lamps.identifier}/read"
}

resource "aws_cognito_user_pool_client" "pages" {
  name                                 = "pages"
  user_pool_id                         = aws_cognito_user_pool.people.id
  allowed_oauth_flows_user_pool_client = true
  allowed_oauth_flows                  = ["code"]
  allowed_oauth_scopes                 = local.first ? ["openid", "email"] : ["openid", local.scope]
  callback_urls                        = concat(["https://app.lighthouse.example/in"], local.first ? [] : ["http://localhost:3000/in"])
  logout_urls                          = ["https://app.lighthouse.example/out"]
  default_redirect_uri                 = "https://app.lighthouse.example/in"
  supported_identity_providers         = ["COGNITO"]
}

resource "aws_cognito_user_pool_client" "machine" {
  name                                 = "machine"
  user_pool_id                         = aws_cognito_user_pool.people.id
  generate_secret                      = true
  allowed_oauth_flows_user_pool_client = true
  allowed_oauth_flows                  = ["client_credentials"]
  allowed_oauth_scopes                 = [local.scope]
}
