# Each setting of a user pool that Virga serves.

resource "aws_cognito_user_pool" "people" {
  name                     = "people"
  alias_attributes         = ["email", "preferred_username"]
  auto_verified_attributes = local.first ? ["email"] : []
  deletion_protection      = "INACTIVE"
  mfa_configuration        = local.first ? "OFF" : "OPTIONAL"
  tags                     = local.tags

  username_configuration {
    case_sensitive = true
  }

  password_policy {
    minimum_length                   = local.first ? 8 : 12
    require_lowercase                = true
    require_numbers                  = true
    require_symbols                  = local.first
    require_uppercase                = true
    temporary_password_validity_days = local.first ? 7 : 3
  }

  account_recovery_setting {
    recovery_mechanism {
      name     = "verified_email"
      priority = 1
    }
  }

  admin_create_user_config {
    allow_admin_create_user_only = !local.first
  }

  schema {
    name                = "email"
    attribute_data_type = "String"
    mutable             = true
    required            = true
    string_attribute_constraints {
      min_length = "0"
      max_length = "2048"
    }
  }

  schema {
    name                = "team"
    attribute_data_type = "String"
    mutable             = true
    string_attribute_constraints {
      min_length = "1"
      max_length = "40"
    }
  }

  # The attributes of a pool cannot be changed, but further ones can be added.
  dynamic "schema" {
    for_each = local.first ? [] : ["shoe"]
    content {
      name                = schema.value
      attribute_data_type = "Number"
      mutable             = true
      number_attribute_constraints {
        min_value = "1"
        max_value = "60"
      }
    }
  }

  dynamic "software_token_mfa_configuration" {
    for_each = local.first ? [] : [1]
    content {
      enabled = true
    }
  }
}

# Everything that is not set has the default of the service. In the second step, one setting is sent with all that the pool has.
resource "aws_cognito_user_pool" "plain" {
  name                     = "plain"
  username_attributes      = ["email"]
  auto_verified_attributes = local.first ? [] : ["email"]
}

resource "aws_cognito_user_pool_client" "web" {
  name                          = local.first ? "web" : "web of the second step"
  user_pool_id                  = aws_cognito_user_pool.people.id
  explicit_auth_flows           = local.first ? ["ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"] : ["ALLOW_USER_PASSWORD_AUTH"]
  prevent_user_existence_errors = local.first ? "ENABLED" : "LEGACY"
  enable_token_revocation       = local.first
  auth_session_validity         = local.first ? 3 : 10
  read_attributes               = ["email", "custom:team"]
  write_attributes              = local.first ? ["email"] : ["email", "custom:team"]
  access_token_validity         = local.first ? 60 : 1
  id_token_validity             = local.first ? 60 : 1
  refresh_token_validity        = local.first ? 30 : 10

  token_validity_units {
    access_token  = local.first ? "minutes" : "hours"
    id_token      = local.first ? "minutes" : "hours"
    refresh_token = "days"
  }
}

resource "aws_cognito_user_pool_client" "server" {
  name            = "server"
  user_pool_id    = aws_cognito_user_pool.people.id
  generate_secret = true
}

resource "aws_cognito_user_group" "keepers" {
  name         = "keepers"
  user_pool_id = aws_cognito_user_pool.people.id
  description  = local.first ? "Who keeps the light" : "Who kept the light"
  precedence   = local.first ? 1 : 2
  role_arn     = local.first ? aws_iam_role.member.arn : aws_iam_role.keeper.arn
}

resource "aws_cognito_user" "alice" {
  user_pool_id = aws_cognito_user_pool.people.id
  username     = "alice"
  password     = local.first ? "Lamp-0il-1858" : "Lamp-0il-1859-x"
  enabled      = local.first

  attributes = {
    email          = "alice@lighthouse.example"
    email_verified = "true"
    team           = local.first ? "lamp" : "bell"
  }
}

resource "aws_cognito_user" "bob" {
  user_pool_id       = aws_cognito_user_pool.people.id
  username           = "bob"
  temporary_password = "Inv1ted-once"
  message_action     = "SUPPRESS"
  attributes         = { email = "bob@lighthouse.example" }
}

resource "aws_cognito_user_in_group" "alice" {
  user_pool_id = aws_cognito_user_pool.people.id
  group_name   = aws_cognito_user_group.keepers.name
  username     = aws_cognito_user.alice.username
}

data "aws_cognito_user_pools" "people" {
  name = aws_cognito_user_pool.people.name

  lifecycle {
    postcondition {
      condition     = length(self.ids) == 1 && contains(self.ids, aws_cognito_user_pool.people.id)
      error_message = "The pools are ${join(", ", self.ids)}."
    }
  }
}

data "aws_cognito_user_pool_clients" "people" {
  user_pool_id = aws_cognito_user_pool.people.id
  depends_on = [
    aws_cognito_user_pool_client.web, aws_cognito_user_pool_client.server, aws_cognito_user_pool_client.pages,
    aws_cognito_user_pool_client.machine
  ]

  lifecycle {
    postcondition {
      condition     = length(self.client_ids) == 4
      error_message = "The clients are ${join(", ", self.client_names)}."
    }
  }
}

data "aws_cognito_user_group" "keepers" {
  user_pool_id = aws_cognito_user_pool.people.id
  name         = aws_cognito_user_group.keepers.name
}
