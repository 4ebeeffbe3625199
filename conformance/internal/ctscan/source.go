package ctscan

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// Source returns what the source does with words that could let a secret decide over a branch or an address.
func (p *Package) Source() (found []Finding) {
	for _, file := range p.files {
		for _, imported := range file.Imports {
			if imported.Path.Value == `"unsafe"` {
				found = append(found, Finding{"", Unsafe, "import", p.place(imported)})
			}
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if kind, at := p.inspect(n); kind != "" {
					found = append(found, Finding{functionName(fn), kind, types.ExprString(at), p.place(at)})
				}
				return true
			})
		}
	}
	return found
}

// functionName returns the name that the linker gives a function, without the package.
func functionName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	receiver := types.ExprString(fn.Recv.List[0].Type)
	if receiver[0] == '*' {
		receiver = "(" + receiver + ")"
	}
	return receiver + "." + fn.Name.Name
}

func (p *Package) place(n ast.Node) string {
	at := p.fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", at.Filename, at.Line)
}

// inspect returns what is wrong with a node, not with its children, and the expression that is.
func (p *Package) inspect(n ast.Node) (Kind, ast.Expr) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		switch n.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			if p.secret(n.X) || p.secret(n.Y) {
				return Comparison, n
			}
		case token.QUO, token.REM:
			if p.secret(n) {
				return Division, n
			}
		}
	case *ast.AssignStmt:
		if (n.Tok == token.QUO_ASSIGN || n.Tok == token.REM_ASSIGN) && p.secret(n.Lhs[0]) {
			return Division, n.Lhs[0]
		}
	case *ast.SwitchStmt:
		if n.Tag != nil && p.secret(n.Tag) {
			return Comparison, n.Tag
		}
	case *ast.RangeStmt:
		if t := p.info.Types[n.X].Type; isWord(t) && p.secret(n.X) {
			return Comparison, n.X
		}
	case *ast.IndexExpr:
		if p.secret(n.Index) {
			return Index, n
		}
	case *ast.SliceExpr:
		for _, bound := range []ast.Expr{n.Low, n.High, n.Max} {
			if bound != nil && p.secret(bound) {
				return Index, n
			}
		}
	case *ast.CallExpr:
		return p.inspectCall(n)
	}
	return "", nil
}

func (p *Package) inspectCall(call *ast.CallExpr) (Kind, ast.Expr) {
	f := p.info.Types[call.Fun]
	switch {
	case f.IsType() && len(call.Args) == 1 && isPublic(f.Type) && p.secret(call.Args[0]):
		return Conversion, call
	case f.IsBuiltin() && p.secret(call):
		if name, ok := call.Fun.(*ast.Ident); ok && (name.Name == "min" || name.Name == "max") {
			return Comparison, call
		}
	}
	return "", nil
}

// secret reports whether an expression may be secret: it is no constant, and its type is not one of those for
// what is public.
func (p *Package) secret(e ast.Expr) bool {
	t := p.info.Types[e]
	return t.Value == nil && !t.IsType() && !isPublic(t.Type)
}

// isPublic reports whether a type is one for lengths, indices, conditions, or where things are. Comparing slices,
// maps or functions is comparing with nil.
func isPublic(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch u.Kind() {
		case types.Int, types.Uint, types.Bool, types.UntypedInt, types.UntypedBool, types.UntypedNil:
			return true
		}
		return false
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return true
	}
	return false
}

// isWord reports whether a type is that of an integer which may be secret.
func isWord(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && !isPublic(t)
}
