// A relying party on go-oidc and x/oauth2: it prints the login URL, reads the code, and verifies the tokens.
//
//	relying_party ISSUER CLIENT_ID CLIENT_SECRET REDIRECT_URI
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	ctx := context.Background()
	issuer, id, secret, redirectURI := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	provider, err := oidc.NewProvider(ctx, issuer)
	check(err)
	config := oauth2.Config{
		ClientID: id, ClientSecret: secret, Endpoint: provider.Endpoint(), RedirectURL: redirectURI,
		Scopes: []string{oidc.ScopeOpenID, "email", oidc.ScopeOfflineAccess},
	}
	fmt.Println(config.AuthCodeURL("state", oidc.Nonce("nonce")))
	var code string
	_, err = fmt.Scanln(&code)
	check(err)

	token, err := config.Exchange(ctx, code)
	check(err)
	raw, _ := token.Extra("id_token").(string)
	identity, err := provider.Verifier(&oidc.Config{ClientID: id}).Verify(ctx, raw)
	check(err)
	check(identity.VerifyAccessToken(token.AccessToken))
	if identity.Nonce != "nonce" {
		log.Fatal("the nonce is ", identity.Nonce)
	}

	// An old token is refreshed before it is used.
	before := token.AccessToken
	token.Expiry = time.Now().Add(-time.Hour)
	source := config.TokenSource(ctx, token)
	refreshed, err := source.Token()
	check(err)
	info, err := provider.UserInfo(ctx, source)
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(map[string]interface{}{
		"subject": identity.Subject, "email": info.Email, "refreshed": refreshed.AccessToken != before,
	}))
}
